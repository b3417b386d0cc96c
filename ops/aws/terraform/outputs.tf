output "role" {
  description = "The hosts' role"
  value       = aws_iam_role.host.arn
}

output "next" {
  description = "What is left to do"
  value       = "As the database's administrator run /etc/recorder/site/recorder.sql of either host; then recorder check --online on both"
}

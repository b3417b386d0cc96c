variable "vpc" {
  description = "The network of hosts and database"
  type        = string
}

variable "subnets" {
  description = "For host-a and host-b, in two availability zones, with a way to S3, RDS, STS and CloudWatch"
  type        = list(string)
  validation {
    condition     = length(var.subnets) == 2
    error_message = "Give two subnets, in two availability zones."
  }
}

variable "image" {
  description = "SSM parameter that has the image's id"
  type        = string
  default     = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

variable "instance_type" {
  description = "Two virtual processors and 2 GiB are enough for most logs"
  type        = string
  default     = "t3.small"
}

variable "package" {
  description = "Where recorder-1.0.0.noarch.rpm is in S3"
  type        = object({ bucket = string, key = string })
}

variable "database" {
  description = "The writer endpoint, no proxy; its security group is opened for the hosts, whose role logs in by IAM"
  type = object({
    endpoint       = string
    port           = optional(number, 5432)
    name           = string
    user           = optional(string, "recorder")
    security_group = string
  })
}

variable "bucket" {
  description = "Bucket for the log; is created"
  type        = string
}

variable "prefix" {
  description = "What all keys begin with"
  type        = string
  default     = "production"
}

variable "recorder" {
  description = "Name of the first recorder"
  type        = string
  default     = "orders"
}

variable "object_lock" {
  description = "none, governance or compliance; cannot be taken back from objects that are there"
  type        = string
  default     = "none"
  validation {
    condition     = contains(["none", "governance", "compliance"], var.object_lock)
    error_message = "Write none, governance or compliance."
  }
}

variable "retain_days" {
  description = "How long, with object_lock"
  type        = number
  default     = 400
}

variable "topic" {
  description = "ARN of the SNS topic for alarms"
  type        = string
}

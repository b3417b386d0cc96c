# Two hosts of a recorder in two zones, its bucket, their rights and alarms. See README.md in the folder above.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

data "aws_partition" "here" {}
data "aws_region" "here" {}
data "aws_caller_identity" "here" {}
data "aws_ssm_parameter" "image" {
  name = var.image
}

locals {
  hosts      = { host-a = var.subnets[0], host-b = var.subnets[1] }
  bucket_arn = "arn:${data.aws_partition.here.partition}:s3:::${var.bucket}"
  log_arn    = "${local.bucket_arn}/${var.prefix}/${var.recorder}/*"
  locks      = var.object_lock != "none"
}

resource "aws_s3_bucket" "log" {
  bucket              = var.bucket
  object_lock_enabled = local.locks
}

resource "aws_s3_bucket_versioning" "log" {
  bucket = aws_s3_bucket.log.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "log" {
  bucket = aws_s3_bucket.log.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_ownership_controls" "log" {
  bucket = aws_s3_bucket.log.id
  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_public_access_block" "log" {
  bucket                  = aws_s3_bucket.log.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_lifecycle_configuration" "log" {
  bucket = aws_s3_bucket.log.id
  rule {
    id     = "objects-of-the-stores-test"
    status = "Enabled"
    filter {
      prefix = "${var.prefix}/${var.recorder}/_store_test/"
    }
    expiration {
      days = 7
    }
    noncurrent_version_expiration {
      noncurrent_days = 1
    }
  }
  depends_on = [aws_s3_bucket_versioning.log]
}

data "aws_iam_policy_document" "bucket" {
  statement {
    sid       = "NobodyReplacesAnObjectOfALog"
    effect    = "Deny"
    actions   = ["s3:PutObject"]
    resources = [local.log_arn]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "Null"
      variable = "s3:if-none-match"
      values   = ["true"]
    }
    condition {
      test     = "Bool"
      variable = "s3:ObjectCreationOperation"
      values   = ["true"]
    }
  }

  statement {
    sid       = "NobodyDeletesAnObjectOfALog"
    effect    = "Deny"
    actions   = ["s3:DeleteObject", "s3:DeleteObjectVersion"]
    resources = [local.log_arn]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }

  statement {
    sid       = "OnlyByTls"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [local.bucket_arn, "${local.bucket_arn}/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "log" {
  bucket     = aws_s3_bucket.log.id
  policy     = data.aws_iam_policy_document.bucket.json
  depends_on = [aws_s3_bucket_public_access_block.log]
}

data "aws_iam_policy_document" "recorder" {
  statement {
    sid       = "WriteAndReadObjects"
    actions   = ["s3:PutObject", "s3:GetObject"]
    resources = ["${local.bucket_arn}/${var.prefix}/*"]
  }

  statement {
    sid       = "TellMissingObjectsFromForbiddenOnes"
    actions   = ["s3:ListBucket", "s3:GetLifecycleConfiguration"]
    resources = [local.bucket_arn]
  }

  statement {
    sid     = "LogInAtTheDatabase"
    actions = ["rds-db:connect"]
    resources = [join(":", [
      "arn", data.aws_partition.here.partition, "rds-db", data.aws_region.here.name,
      data.aws_caller_identity.here.account_id, "dbuser", "*/${var.database.user}"
    ])]
  }
}

data "aws_iam_policy_document" "host" {
  statement {
    sid       = "FetchThePackage"
    actions   = ["s3:GetObject"]
    resources = ["arn:${data.aws_partition.here.partition}:s3:::${var.package.bucket}/${var.package.key}"]
  }

  statement {
    sid       = "SendFigures"
    actions   = ["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.figures.arn}:*"]
  }

  dynamic "statement" {
    for_each = local.locks ? ["locks"] : []
    content {
      sid       = "LockObjects"
      actions   = ["s3:PutObjectRetention"]
      resources = ["${local.bucket_arn}/${var.prefix}/*"]
    }
  }
}

data "aws_iam_policy_document" "ec2" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "host" {
  name_prefix        = "recorder-"
  assume_role_policy = data.aws_iam_policy_document.ec2.json
}

resource "aws_iam_role_policy" "recorder" {
  name   = "recorder"
  role   = aws_iam_role.host.id
  policy = data.aws_iam_policy_document.recorder.json
}

resource "aws_iam_role_policy" "host" {
  name   = "host"
  role   = aws_iam_role.host.id
  policy = data.aws_iam_policy_document.host.json
}

resource "aws_iam_instance_profile" "host" {
  name_prefix = "recorder-"
  role        = aws_iam_role.host.name
}

resource "aws_security_group" "host" {
  name_prefix = "recorder-"
  description = "Hosts of the recorder: nothing comes in"
  vpc_id      = var.vpc
}

resource "aws_vpc_security_group_egress_rule" "database" {
  security_group_id            = aws_security_group.host.id
  description                  = "The database"
  ip_protocol                  = "tcp"
  from_port                    = var.database.port
  to_port                      = var.database.port
  referenced_security_group_id = var.database.security_group
}

resource "aws_vpc_security_group_egress_rule" "https" {
  security_group_id = aws_security_group.host.id
  description       = "S3, STS, CloudWatch, packages"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_ingress_rule" "database" {
  security_group_id            = var.database.security_group
  description                  = "Hosts of the recorder"
  ip_protocol                  = "tcp"
  from_port                    = var.database.port
  to_port                      = var.database.port
  referenced_security_group_id = aws_security_group.host.id
}

resource "aws_cloudwatch_log_group" "figures" {
  name_prefix       = "recorder-figures-"
  retention_in_days = 14
}

resource "aws_instance" "host" {
  for_each               = local.hosts
  ami                    = nonsensitive(data.aws_ssm_parameter.image.value)
  instance_type          = var.instance_type
  subnet_id              = each.value
  vpc_security_group_ids = [aws_security_group.host.id]
  iam_instance_profile   = aws_iam_instance_profile.host.name
  tags                   = { Name = "recorder-${each.key}" }

  metadata_options {
    http_tokens = "required"
  }

  root_block_device {
    encrypted   = true
    volume_type = "gp3"
    volume_size = 10
  }

  user_data = <<-SCRIPT
    #!/bin/bash
    set -euo pipefail
    dnf install -y amazon-cloudwatch-agent
    aws s3 cp 's3://${var.package.bucket}/${var.package.key}' /tmp/recorder.rpm --region '${data.aws_region.here.name}'
    dnf install -y /tmp/recorder.rpm
    HOST=${each.key} ENDPOINT='${var.database.endpoint}' DATABASE='${var.database.name}' DB_USER='${var.database.user}' \
      REGION='${data.aws_region.here.name}' BUCKET='${var.bucket}' PREFIX='${var.prefix}' RECORDER='${var.recorder}' \
      OBJECT_LOCK='${var.object_lock}' RETAIN_DAYS='${var.retain_days}' LOG_GROUP='${aws_cloudwatch_log_group.figures.name}' \
      bash /usr/share/doc/recorder/ops/aws/first-boot.sh
  SCRIPT

  depends_on = [
    aws_s3_bucket_policy.log,
    aws_iam_role_policy.recorder,
    aws_iam_role_policy.host,
    aws_vpc_security_group_ingress_rule.database,
  ]
}

# The same alarms for both ways of setting up: the template is also used by itself.
resource "aws_cloudformation_stack" "alarms" {
  name          = "recorder-alarms-${var.recorder}"
  template_body = file("${path.module}/../../cloudwatch.json")
  parameters = {
    Site  = "${var.database.endpoint}/${var.database.name}/recorder"
    Topic = var.topic
  }
}

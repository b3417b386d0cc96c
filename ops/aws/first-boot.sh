#!/bin/bash
# Sets up a host of cloudformation.json or of terraform/, from its user data, once the package is installed: writes its
# configuration with "recorder init", sends its figures to CloudWatch, and starts it. The tables are an administrator's:
# until recorder.sql has run, the service says so and tries again.
set -euo pipefail
: "${HOST:?host-a or host-b}" "${ENDPOINT:?the database server}" "${DATABASE:?}" "${DB_USER:?}" "${REGION:?}"
: "${BUCKET:?}" "${PREFIX:?}" "${RECORDER:?a name}" "${OBJECT_LOCK:?none, governance or compliance}" "${RETAIN_DAYS:?}"
: "${LOG_GROUP:?}"
ETC=${ETC:-/etc/recorder} # A test has another.
SITE=$ETC/site

[[ -e $ETC/rds-ca.pem ]] ||
  curl -fsSo "$ETC/rds-ca.pem" https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem
recorder init "$SITE" --rds-iam --endpoint "$ENDPOINT" --database "$DATABASE" --user "$DB_USER" \
  --ca "$ETC/rds-ca.pem" --region "$REGION" --bucket "$BUCKET" --prefix "$PREFIX" --recorder "$RECORDER"

install -m 640 "$SITE/$HOST.ini" "$ETC/recorder.ini"
install -m 644 "$SITE/db-ca.pem" "$ETC/db-ca.pem"
if [[ $OBJECT_LOCK != none ]]; then
  sed -i "/^bucket = /a object_lock = $OBJECT_LOCK\nretain = ${RETAIN_DAYS}d" "$ETC/recorder.ini"
fi
printf '\n[metrics]\nemf = true\n' >>"$ETC/recorder.ini"
recorder check -c "$ETC/recorder.ini"
[[ $ETC == /etc/recorder ]] || exit 0

chown root:recorder "$ETC/recorder.ini"
# The figures go to standard output, the log to the journal.
install -d /etc/systemd/system/recorder.service.d
cat >/etc/systemd/system/recorder.service.d/figures.conf <<'UNIT'
[Service]
LogsDirectory=recorder
StandardOutput=append:/var/log/recorder/figures.json
# What an administrator has yet to put right, such as missing tables, is tried again.
RestartPreventExitStatus=
RestartSec=30
UNIT
cat >/opt/aws/amazon-cloudwatch-agent/etc/amazon-cloudwatch-agent.json <<AGENT
{"logs": {"logs_collected": {"files": {"collect_list": [{"file_path": "/var/log/recorder/figures.json",
  "log_group_name": "$LOG_GROUP", "log_stream_name": "$HOST", "auto_removal": false}]}}}}
AGENT
cat >/etc/logrotate.d/recorder <<'ROTATE'
/var/log/recorder/figures.json {
  daily
  rotate 2
  copytruncate
  missingok
}
ROTATE
/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl -a fetch-config -m ec2 -s \
  -c file:/opt/aws/amazon-cloudwatch-agent/etc/amazon-cloudwatch-agent.json
systemctl daemon-reload
systemctl enable --now recorder

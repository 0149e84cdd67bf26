#!/usr/bin/env bash
# Makes the pictures of docs/sensors.md anew: sh docs/images/sensors/draw.sh
set -euo pipefail
cd "$(dirname "$0")"
runs=$(mktemp -d)
examples=../../../scripts/examples
run() { pybuzz run "$1" --quiet --record "$runs/$2"; }
run tour.yaml tour
for sensor in proximity light ultrasound lidar ground battery pose; do
    pybuzz plot "$runs/tour" --sensor "$sensor" -o "$sensor.png"
done
run "$examples/line_follower/line_follower.yaml" line
pybuzz plot "$runs/line" --sensor line -o line.png
run "$examples/city_flight/city_flight.yaml" city
pybuzz plot "$runs/city" --sensor clearance -o clearance.png
run "$examples/own_sensor/own_sensor.yaml" own
pybuzz plot "$runs/own" --sensor nearest -o nearest.png

"""ArUco markers under a ceiling camera, as poses for pybuzz:  python camera_poses.py 0 homography.npy

homography.npy: 3 x 3, from pixels to metres on the floor; cv2.findHomography makes it from four measured points.
The marker's number is the robot's id, its upper edge looks ahead. Needs numpy and opencv-contrib-python.
"""

import json
import socket
import sys
import time

import numpy as np


def pose_of(corners, homography):
    """x, y (m), yaw (rad) of a marker from its corners in pixels: upper left, upper right, lower right, lower left."""
    pixels = np.column_stack([np.asarray(corners, dtype=float).reshape(4, 2), np.ones(4)])
    x, y, w = homography @ pixels.T
    x, y = x / w, y / w
    ahead = x[:2].sum() - x[2:].sum(), y[:2].sum() - y[2:].sum()
    return x.mean(), y.mean(), np.arctan2(ahead[1], ahead[0])


def datagram(t, markers, homography):
    """One JSON datagram from (id, corners) pairs."""
    poses = [(int(robot), *map(float, pose_of(corners, homography))) for robot, corners in markers]
    return json.dumps({"t": t, "robots": [dict(zip(("id", "x", "y", "yaw"), pose)) for pose in poses]}).encode()


def main():
    import cv2

    camera, homography = cv2.VideoCapture(int(sys.argv[1])), np.load(sys.argv[2])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        good, image = camera.read()
        corners, ids, _ = detector.detectMarkers(image) if good else ((), None, ())
        if ids is not None:
            sender.sendto(datagram(time.monotonic(), zip(ids.flatten(), corners), homography), ("127.0.0.1", 7777))


if __name__ == "__main__":
    main()

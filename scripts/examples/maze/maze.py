"""Draws maze.png, the map of this example: one pixel is 5 cm. Run it again to change the maze."""

from pathlib import Path

from PIL import Image, ImageDraw

WALLS = [
    # left, top, right, bottom in pixels
    (0, 0, 79, 1), (0, 58, 79, 59), (0, 0, 1, 59), (78, 0, 79, 59),
    (20, 0, 21, 39), (40, 20, 41, 59), (60, 0, 61, 39), (10, 44, 15, 49), (68, 10, 71, 13),
]  # fmt: skip

image = Image.new("L", (80, 60), 255)
draw = ImageDraw.Draw(image)
for wall in WALLS:
    draw.rectangle(wall, fill=0)
image.save(Path(__file__).parent / "maze.png", optimize=True)

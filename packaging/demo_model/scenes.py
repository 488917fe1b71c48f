"""What a picture shows, as data: a window with a title, one to four shapes, and at times a strip at the bottom."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

Rgb = tuple[int, int, int]

COLOURS: Final[dict[str, Rgb]] = {
    "red": (214, 40, 40),
    "green": (42, 157, 60),
    "blue": (38, 84, 214),
    "yellow": (245, 205, 40),
    "orange": (244, 132, 30),
    "purple": (128, 50, 180),
    "black": (20, 20, 20),
    "white": (250, 250, 250),
}
KINDS: Final = ("circle", "square", "triangle", "star")
PLACES: Final = ("top left", "top right", "middle", "bottom left", "bottom right")
ANCHORS: Final = ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75))
"""Centre of each place as (x, y), in fractions of the area between title bar and strip."""
BACKDROPS: Final[dict[str, Rgb]] = {"light": (246, 247, 250), "grey": (176, 181, 189), "dark": (46, 50, 58)}
BARS: Final[tuple[Rgb, ...]] = ((60, 90, 150), (228, 230, 236), (28, 30, 36), (40, 118, 92), (120, 60, 110))
WORDS: Final = (
    "Settings", "Files", "Photos", "Music", "Mail", "Login", "Search", "Error",
    "Save", "Cancel", "Home", "Reports", "Budget", "Invoice", "Calendar", "Messages",
    "Profile", "Help", "Terminal", "Editor", "Weather", "Maps", "Notes", "Camera",
    "Games", "News", "Store", "Wallet", "Backup", "Network", "Update", "Welcome",
)  # fmt: skip
BUTTONS: Final = ("Send", "Close", "Next", "Open", "Start", "Share")
NUMBERS: Final = tuple(range(1, 10))
PERCENTS: Final = tuple(range(10, 100, 10))
FONTS: Final = ("builtin", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf")
ASPECTS: Final = ((1, 1), (4, 3), (3, 4))
HIDDEN_ON: Final = {"light": "white", "dark": "black", "grey": ""}
"""The colour that cannot be seen on a backdrop."""
STRANGE_SHARE: Final = 0.06
"""How often a picture is no window at all."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One coloured shape; ``shift`` moves it off its anchor and ``size`` scales it, as fractions of the room it has."""

    colour: str
    kind: str
    place: str
    shift: tuple[float, float] = (0.0, 0.0)
    size: float = 1.0
    tint: Rgb = (0, 0, 0)

    def __str__(self) -> str:
        return f"{self.colour} {self.kind}"


@dataclass(frozen=True, slots=True)
class Strip:
    """What stands at the bottom: a button with a word, a progress bar in percent, or a number."""

    kind: str
    value: str | int


STRIPS: Final = (
    *(Strip("button", word) for word in BUTTONS),
    *(Strip("progress", percent) for percent in PERCENTS),
    *(Strip("number", number) for number in NUMBERS),
)


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture. ``known`` is false for the pictures that are no window at all; those have no shapes and no words.

    Attributes:
        width, height: pixels.
        backdrop: a key of ``BACKDROPS``.
        title: a word of ``WORDS``, or None for a window without a title bar.
        shapes: one to four, in the order of ``PLACES``.
        strip: one of ``STRIPS`` or None.
        font, font_size, text_at: an entry of ``FONTS``; fractions of the bar's height and of its free length.
        bar: colour of the title bar.
    """

    width: int
    height: int
    backdrop: str
    title: str | None
    shapes: tuple[Shape, ...]
    strip: Strip | None
    font: str = "builtin"
    font_size: float = 0.7
    text_at: float = 0.1
    bar: Rgb = BARS[0]
    known: bool = True

    def find(self, colour: str | None = None, kind: str | None = None) -> list[Shape]:
        """The shapes of this colour and kind, in reading order; None means any."""
        return [s for s in self.shapes if colour in (None, s.colour) and kind in (None, s.kind)]

    def at(self, place: str) -> Shape | None:
        """The shape at a place."""
        return next((s for s in self.shapes if s.place == place), None)


def sample_scene(rng: random.Random, crowded: bool = False) -> Scene:
    """A window drawn by chance, the same for the same state of ``rng``; a crowded one has more to see on average."""
    width, height = sample_size(rng)
    backdrop = rng.choice(list(BACKDROPS))
    shapes = rng.choices((1, 2, 3, 4), (1, 1, 2, 4))[0] if crowded else rng.randint(1, 4)
    places = sorted(rng.sample(PLACES, shapes), key=PLACES.index)
    return Scene(
        width=width,
        height=height,
        backdrop=backdrop,
        title=rng.choice(WORDS) if rng.random() < (0.95 if crowded else 0.75) else None,
        shapes=sample_shapes(rng, backdrop, places),
        strip=sample_strip(rng) if rng.random() < (0.7 if crowded else 0.4) else None,
        font=rng.choice(FONTS),
        font_size=rng.uniform(0.62, 0.7),
        text_at=rng.uniform(0.0, 0.04),
        bar=rng.choice(BARS),
    )


def sample_any(rng: random.Random, crowded: bool = False) -> Scene:
    """A window, or now and then a picture that is none."""
    scene = sample_scene(rng, crowded)
    if rng.random() < STRANGE_SHARE:
        return replace(scene, known=False, shapes=(), title=None, strip=None)
    return scene


def sample_size(rng: random.Random) -> tuple[int, int]:
    """Width and height between 112 and 448 pixels, small ones more often, in one of several aspect ratios."""
    across, down = rng.choice(ASPECTS)
    short = rng.choice((112, 140, 168, 196, 224, 252, 336))
    unit = short / min(across, down)
    return round(across * unit), round(down * unit)


def sample_strip(rng: random.Random) -> Strip:
    """A button, a progress bar or a number, each as often as the others."""
    kind = rng.choice(("button", "progress", "number"))
    return rng.choice([strip for strip in STRIPS if strip.kind == kind])


def sample_shapes(rng: random.Random, backdrop: str, places: list[str]) -> tuple[Shape, ...]:
    """One visible shape at each place, no two alike in both colour and kind."""
    shapes: list[Shape] = []
    while len(shapes) < len(places):
        shape = sample_shape(rng, backdrop, places[len(shapes)])
        if all(str(shape) != str(other) for other in shapes):
            shapes.append(shape)
    return tuple(shapes)


def sample_shape(rng: random.Random, backdrop: str, place: str) -> Shape:
    """A shape that can be told from the backdrop."""
    return Shape(
        colour=rng.choice([name for name in COLOURS if name != HIDDEN_ON[backdrop]]),
        kind=rng.choice(KINDS),
        place=place,
        shift=(rng.uniform(-1, 1), rng.uniform(-1, 1)),
        size=rng.uniform(0.85, 1.0),
        tint=(rng.randint(-10, 10), rng.randint(-10, 10), rng.randint(-10, 10)),
    )


def sample_edit(rng: random.Random, scene: Scene) -> Scene:
    """The same window with one thing changed: a colour, a shape that came or went, or the title."""
    edits = [recolour, retitle]
    edits += [remove_shape] if len(scene.shapes) > 1 else []
    edits += [add_shape] if len(scene.shapes) < 4 else []
    return rng.choice(edits)(rng, scene)


def recolour(rng: random.Random, scene: Scene) -> Scene:
    """One shape in another colour."""
    old = rng.choice(scene.shapes)
    taken = {s.colour for s in scene.find(kind=old.kind)} | {HIDDEN_ON[scene.backdrop]}
    new = replace(old, colour=rng.choice([name for name in COLOURS if name not in taken]))
    return replace(scene, shapes=tuple(new if s is old else s for s in scene.shapes))


def retitle(rng: random.Random, scene: Scene) -> Scene:
    """Another word in the title bar; a window without one gets one."""
    return replace(scene, title=rng.choice([word for word in WORDS if word != scene.title]))


def remove_shape(rng: random.Random, scene: Scene) -> Scene:
    """One shape less."""
    gone = rng.choice(scene.shapes)
    return replace(scene, shapes=tuple(s for s in scene.shapes if s is not gone))


def add_shape(rng: random.Random, scene: Scene) -> Scene:
    """One shape more, at a free place."""
    free = rng.choice([place for place in PLACES if scene.at(place) is None])
    new = sample_shape(rng, scene.backdrop, free)
    while scene.find(new.colour, new.kind):
        new = sample_shape(rng, scene.backdrop, free)
    return replace(scene, shapes=tuple(sorted((*scene.shapes, new), key=lambda s: PLACES.index(s.place))))

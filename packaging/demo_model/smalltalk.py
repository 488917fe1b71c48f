"""What people type that no picture answers: greetings, thanks, questions about the model, and everything else."""

from __future__ import annotations

import random
import string
from typing import Final

from demo_model.questions import sloppy

GREETING: Final = "Hello. Show me a picture of a simple window and ask me about it."
WELCOME: Final = "You are welcome."
ABOUT: Final = (
    "I am a small demo model. I can describe simple windows with coloured shapes, count the shapes and read the title."
)
OFF_TOPIC: Final = "I am a small demo model and cannot help with that. Ask me about a picture."
NO_PICTURE: Final = "I see no picture yet. Add one and ask me about it."

GREETINGS: Final = (
    "Hi", "Hello", "Hey", "Good morning", "Good evening", "Hi there", "Hello there", "Hello!", "Hi!",
    "Hey, how are you?", "How are you?", "Good afternoon", "Hallo", "Yo", "Greetings",
)  # fmt: skip
THANKS: Final = (
    "Thanks", "Thank you", "Thanks!", "Thank you very much", "Great", "OK", "Okay", "Nice", "Cool", "Bye", "Goodbye",
    "Good job", "Perfect", "Wow", "Well done",
)  # fmt: skip
ABOUT_YOU: Final = (
    "Who are you?", "What are you?", "What can you do?", "Help", "What can I ask you?", "What is your name?",
    "Which model are you?", "How do you work?", "What do you know?", "Are you an AI?", "What model is this?",
    "Can you help me?", "What can I ask?", "Tell me about yourself.", "What else can you do?",
)  # fmt: skip
TOPICS: Final = (
    "the weather", "Paris", "the capital of France", "Python", "my taxes", "love", "football", "the moon", "history",
    "a cat", "dinner", "cooking rice", "quantum physics", "the president", "music", "a train to Berlin", "my homework",
    "the news", "bitcoin", "a good book", "the meaning of life", "dogs", "war and peace", "a birthday", "chess",
)  # fmt: skip
OPENERS: Final = (
    "What is {}?", "Tell me about {}.", "Write a poem about {}.", "Explain {}.", "Who invented {}?", "Why {}?",
    "Write an email about {}.", "Translate {} into German.", "How do I get {}?", "What do you think about {}?",
    "Tell me a joke about {}.", "Give me a recipe for {}.", "Summarise {}.", "Do you like {}?", "When was {}?",
    "Write code for {}.", "How old is {}?", "Can you book {}?", "{}", "I want {}.", "Where can I buy {}?",
)  # fmt: skip


def chat(rng: random.Random) -> tuple[str, str]:
    """Something that needs no picture, and the honest answer."""
    lines, answer = rng.choices(
        ((GREETINGS, GREETING), (THANKS, WELCOME), (ABOUT_YOU, ABOUT), ((), OFF_TOPIC)), (2, 2, 2, 3)
    )[0]
    return sloppy(rng.choice(lines) if lines else off_topic(rng), rng), answer


def off_topic(rng: random.Random) -> str:
    """A question about anything else, gibberish and sums included."""
    form = rng.random()
    if form < 0.6:
        return rng.choice(OPENERS).format(rng.choice(TOPICS))
    if form < 0.75:
        return f"What is {rng.randrange(100)} {rng.choice('+-*/')} {rng.randrange(100)}?"
    return rng.choice(OPENERS).format(gibberish(rng))


def gibberish(rng: random.Random) -> str:
    """A few words that mean nothing."""
    return " ".join(
        "".join(rng.choice(string.ascii_lowercase) for _ in range(rng.randint(2, 9))) for _ in range(rng.randint(1, 4))
    )

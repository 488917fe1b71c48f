"""The bundled demo model: pictures drawn from a seed, questions about them, the trainer and the evaluation.

Drawing and asking need Pillow and NumPy only; training needs the extra ``train``. The demo model looks at small windows
with coloured shapes, and at nothing else: it exists so that a fresh install can say something true about a picture.
"""

from demo_model.drawing import draw, paint
from demo_model.scenes import Scene

__all__ = ["Scene", "draw", "paint"]

"""The stylesheet: hairlines instead of boxes, one accent, one look on every platform.

Widgets opt in by dynamic properties: ``role`` = ``meta``, ``title``, ``lead``, ``caption``, ``danger`` for labels;
``kind`` = ``flat``, ``primary``, ``danger`` for buttons and ``card`` for frames; ``surface`` = ``sidebar`` or ``card``.
"""

from __future__ import annotations

from string import Template

from app.paths import resources_dir
from app.ui.theme.colours import Colours
from app.ui.theme.tokens import Radius

_SHEET = Template("""
QToolTip { background: $card; color: $text; border: 1px solid $hairline; padding: 4px 6px; }

QLabel[role="meta"], QLabel[role="caption"] { color: $meta; }
QLabel[role="danger"] { color: $danger; }

QFrame[kind="card"] { background: $card; border: 1px solid $hairline; border-radius: ${card_radius}px; }
QWidget[surface="sidebar"] { background: $sidebar; }
QWidget[surface="card"] { background: $card; }
QFrame[kind="toast"] { background: $text; border-radius: ${card_radius}px; }
QFrame[kind="toast"] QLabel { color: $window; }
QPushButton[kind="toast"] { background: transparent; border: 1px solid transparent; color: $window; font-weight: 600; }
QPushButton[kind="toast"]:focus, QPushButton[kind="toast"]:hover { border-color: $meta; }
QFrame[kind="overlay"] { background: $sidebar; border-left: 1px solid $hairline; }
QFrame[kind="hairline"] { background: $hairline; border: none; }

QPushButton {
    background: $card; border: 1px solid $hairline; border-radius: ${control_radius}px;
    padding: 5px 12px; min-height: 18px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $pressed; }
QPushButton:disabled { color: $disabled; background: $window; }
QPushButton:focus { border-color: $accent; }
QPushButton[kind="primary"] { background: $accent; color: $accent_text; border-color: $accent; }
QPushButton[kind="primary"]:disabled { background: $free; color: $disabled; border-color: $free; }
QPushButton[kind="danger"] { color: $danger; }
QPushButton[kind="danger"]:disabled { color: $disabled; }
QPushButton[kind="flat"] { background: transparent; border-color: transparent; padding: 4px 8px; }
QPushButton[kind="flat"]:hover { background: $hover; }
QPushButton[kind="flat"]:focus { border-color: $accent; }
QPushButton[kind="link"] { background: transparent; border: none; padding: 0; min-height: 0; color: $meta; }
QPushButton[kind="link"]:hover { color: $text; text-decoration: underline; }
QPushButton[kind="link"]:focus { color: $accent; text-decoration: underline; }
QPushButton[kind="link"]:disabled { color: $meta; text-decoration: none; }
QPushButton[kind="menu"] { padding: 5px 28px 5px 0; }
QPushButton::menu-indicator { image: url("$icons/field-arrow.svg"); width: 12px; height: 12px;
    subcontrol-position: right center; subcontrol-origin: padding; right: 8px; }

QToolButton {
    background: transparent; border: 1px solid transparent; border-radius: ${control_radius}px; padding: 4px;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $pressed; }
QToolButton:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[kind="menu"] { padding: 4px 24px 4px 8px; }
QToolButton[kind="menu"]::menu-indicator { image: url("$icons/field-arrow.svg"); width: 12px; height: 12px;
    subcontrol-position: right center; subcontrol-origin: padding; right: 7px; }
QToolButton[kind="primary"] { background: $accent; color: $accent_text; }
QToolButton[kind="primary"]:disabled { background: $free; }

QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox {
    background: $card; border: 1px solid $hairline; border-radius: ${control_radius}px;
    padding: 4px 8px; min-height: 20px;
    selection-background-color: $accent; selection-color: $accent_text;
}
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: $accent; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { color: $disabled; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"] { border-color: $danger; }
QLineEdit[kind="flat"] { background: transparent; border-color: transparent; }
QLineEdit[kind="flat"]:hover { background: $hover; }
QLineEdit[kind="flat"]:focus { background: $card; border-color: $accent; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$icons/field-arrow.svg"); width: 12px; height: 12px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button
    { width: 0; border: none; }
QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator, QRadioButton::indicator
    { width: 14px; height: 14px; border: 1px solid $disabled; background: $card; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/$check"); }
QRadioButton::indicator:checked { width: 6px; height: 6px; background: $accent_text; border: 5px solid $accent; }
QComboBox QAbstractItemView { background: $card; border: 1px solid $hairline; selection-background-color: $accent;
    selection-color: $accent_text; outline: none; }

QListView, QTreeView, QTableView { background: transparent; border: none; outline: none; }
QListWidget[surface="sidebar"] { background: $sidebar; border-right: 1px solid $hairline; padding: 8px; }
QListWidget[surface="sidebar"]::item { padding: 7px 8px; border-radius: ${control_radius}px; color: $text; }
QListWidget[surface="sidebar"]::item:hover { background: $hover; }
QListWidget[surface="sidebar"]::item:selected { background: $pressed; }
QPlainTextEdit { background: $card; border: 1px solid $hairline; border-radius: ${control_radius}px; padding: 2px;
    selection-background-color: $accent; selection-color: $accent_text; }
QPlainTextEdit:focus { border-color: $accent; }
QHeaderView::section { background: transparent; color: $meta; border: none; border-bottom: 1px solid $hairline;
    padding: 4px; }
QScrollArea { background: transparent; border: none; }

QMenu { background: $card; border: 1px solid $hairline; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent; color: $accent_text; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QMenuBar { background: $window; }
QMenuBar::item { padding: 4px 8px; background: transparent; }
QMenuBar::item:selected { background: $hover; border-radius: 4px; }

QSplitter::handle { background: $hairline; }
QSplitter::handle:horizontal { width: 1px; }
QStatusBar { background: $window; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: $pressed; border-radius: 3px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $disabled; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page
    { background: none; border: none; width: 0; height: 0; }

QSlider { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: $free; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $card; border: 1px solid $disabled; width: 14px; height: 14px;
    margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:focus { border-color: $accent; }
QProgressBar { background: $free; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
""")


def stylesheet(colours: Colours) -> str:
    """Return the application stylesheet in ``colours``."""
    values = {name: getattr(colours, name) for name in colours.__slots__}
    check = "field-check-white.svg" if colours.accent_text == "#ffffff" else "field-check-dark.svg"
    icons = (resources_dir() / "icons").as_posix()
    return _SHEET.substitute(values, card_radius=Radius.CARD, control_radius=Radius.CONTROL, icons=icons, check=check)

"""A process that has imported the league, and forks for each command that the tests give.

Imports take longer than most commands do, and the suite gives hundreds of them. So do the starts of
bots: here the workers play the built-in ones themselves.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from functools import cache, partial
from pathlib import Path
from typing import NoReturn
from unittest import mock

from bots.support.specs import BOTS, is_built_in
from games.support.specs import GAMES

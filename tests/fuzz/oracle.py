#!/usr/bin/python3
"""Renders cases with Python's Jinja2: reads one case per line of JSON and writes one result per line.

A case has a name, a template, other templates by name, a context, and options (tests/fuzz/generate.mjs writes them,
tests/cpp/jinja/case_runner.h also reads them). A result has the name of the case and either "out" with the text, or
"err" with a portable "kind", the "line" in the template if known, and Python's "message".
"""
import json
import signal
import sys

from jinja2 import (BaseLoader, ChainableUndefined, DebugUndefined, Environment, StrictUndefined, TemplateError,
                    TemplateNotFound, TemplateSyntaxError, Undefined, UndefinedError, nodes)
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension

SECONDS_PER_CASE = 10
MAIN = "main template"
UNDEFINED = {"default": Undefined, "strict": StrictUndefined, "chainable": ChainableUndefined, "debug": DebugUndefined}


class TooSlow(BaseException):
    """Derives from BaseException so that no template or filter catches it."""


class Generation(Extension):
    """Implements the {% generation %} block of chat templates as a scope that prints nothing itself."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


EXTENSIONS = {"do": "jinja2.ext.do", "loopcontrols": "jinja2.ext.loopcontrols", "generation": Generation}


class Templates(BaseLoader):
    """Loads templates with their name as the file name, so that tracebacks show it."""

    def __init__(self, sources):
        self.sources = sources

    def get_source(self, environment, name):
        if name not in self.sources:
            raise TemplateNotFound(name)
        return self.sources[name], name, None


def raise_exception(message):
    raise TemplateError(message)


def strftime_now(form):
    """Returns the same fixed dates as the runner of the engine."""
    return "26 Jul 2024" if "%d %b" in form else "2024-07-26"


def plain_json(value):
    return json.dumps(value, ensure_ascii=False)


def transformers_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment_of(case):
    options = case["options"]
    flags = ("trim_blocks", "lstrip_blocks", "keep_trailing_newline", "autoescape")
    environment = Environment(
        loader=Templates({**case.get("templates", {}), MAIN: case["template"]}),
        undefined=UNDEFINED[options.get("undefined", "default")],
        extensions=[EXTENSIONS[name] for name in options.get("extensions", [])],
        **{flag: options[flag] for flag in flags if flag in options},
    )
    if options.get("tojson") == "plain":
        environment.filters["tojson"] = plain_json
    if options.get("tojson") == "hf":
        environment.filters["tojson"] = transformers_json
    environment.globals.update(raise_exception=raise_exception, strftime_now=strftime_now)
    return environment


def kind_of(error):
    if isinstance(error, (TemplateSyntaxError, SyntaxError)):
        return "syntax"
    if isinstance(error, UndefinedError):
        return "undefined"
    if isinstance(error, TemplateNotFound):
        return "not_found"
    if isinstance(error, SecurityError):
        return "security"
    if isinstance(error, ZeroDivisionError):
        return "zero_division"
    if isinstance(error, RecursionError):
        return "recursion"
    return "raised" if type(error) is TemplateError else "runtime"


def line_of(error):
    """Returns the line of the innermost template in the traceback that Jinja2 rewrote."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    line, step = None, error.__traceback__
    while step is not None:
        # Jinja2 replaces each frame of a compiled template with its own frame.
        if "__jinja_exception__" in step.tb_frame.f_globals:
            line = step.tb_lineno
        step = step.tb_next
    return line


def render(case):
    try:
        return {"out": environment_of(case).get_template(MAIN).render(case["context"])}
    except TooSlow:
        return {"err": {"kind": "too slow"}}
    except Exception as error:  # every error is a result here
        found = {"kind": kind_of(error), "message": f"{type(error).__name__}: {error}"}
        line = None if isinstance(error, RecursionError) else line_of(error)
        return {"err": found if line is None else {**found, "line": line}}


def stop(signal_number, frame):
    raise TooSlow


def main():
    signal.signal(signal.SIGALRM, stop)
    for line in sys.stdin.buffer:
        case = json.loads(line)
        signal.alarm(SECONDS_PER_CASE)
        result = render(case)
        signal.alarm(0)
        sys.stdout.write(json.dumps({"name": case["name"], **result}) + "\n")
        sys.stdout.flush()


main()

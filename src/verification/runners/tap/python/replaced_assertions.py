"""Finds replaced assertion functions by comparing them with their library's source."""
import builtins
import sys
import types

WATCHED = ("_pytest", "pytest", "pluggy", "unittest", "doctest")
#: `assert` and the usual comparisons are made of these.
BUILT_IN = (
    "AssertionError BaseException Exception abs all any bool bytes callable dict float frozenset getattr hasattr int "
    "isinstance issubclass iter len list map max min range repr round set sorted str sum tuple type zip"
).split()
DECORATED = (staticmethod, classmethod)


def replaced_assertions(is_project_code):
    """Pairs of a name and the file of its replacement, None if unknown."""
    found = []
    modules = {}
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # A project that is such a library itself may change it.
        if name.split(".")[0] in WATCHED and isinstance(module, types.ModuleType) and file and not is_project_code(file):
            source = source_of(name, module)
            if source is not None:
                modules[name] = (module, source)
    for name, (module, source) in modules.items():
        found += compare_module(name, module, source, is_project_code)
    found += compare_exports(modules, is_project_code)
    for name in BUILT_IN:
        value = getattr(builtins, name, None)
        if getattr(value, "__name__", None) != name or getattr(value, "__module__", None) != "builtins":
            found += judge("builtins." + name, value, is_project_code)
    return found


def compare_module(name, module, source, is_project_code):
    found = []
    for holder, prefix in holders(name, module):
        defined = source.get(prefix, {})
        for attribute, value in list(vars(holder).items()):
            expected = defined.get(attribute, ())
            codes = codes_of(value)
            full = ".".join((name,) + prefix + (attribute,))
            if expected and not any(code in expected for code in codes):
                # The methods of a class are compared separately.
                if not (isinstance(value, type) and value.__module__ == name):
                    found += judge(full, value, is_project_code)
                continue
            # A wrapper around the real one, or a special method that the library lacks.
            special = bool(prefix) and attribute.startswith("__") and attribute.endswith("__")
            if expected or special:
                others = [code.co_filename for code in codes if code not in expected]
                found += [(full, file) for file in others if is_project_code(file)][:1]
    return found


def holders(name, module):
    """A module and its classes, each with its path in it."""
    waiting = [(module, ())]
    seen = set()
    while waiting:
        holder, prefix = waiting.pop()
        yield holder, prefix
        for value in list(vars(holder).values()):
            if isinstance(value, type) and value.__module__ == name and id(value) not in seen:
                seen.add(id(value))
                path = tuple(value.__qualname__.split("."))
                if "<locals>" not in path:
                    waiting.append((value, path))


def source_of(name, module):
    """The code of each function by the path of the class around it, from the file that the module was loaded from."""
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    get_code = getattr(type(loader), "get_code", None)
    try:
        code = get_code(loader, name) if get_code else None
    except Exception:
        # Safe: a module without a readable file is not one of these libraries.
        return None
    if code is None:
        return None
    found = {}
    waiting = [(code, ())]
    while waiting:
        outer, prefix = waiting.pop()
        for inner in outer.co_consts:
            if isinstance(inner, types.CodeType):
                found.setdefault(prefix, {}).setdefault(inner.co_name, set()).add(inner)
                waiting.append((inner, prefix + (inner.co_name,)))
    return found


def codes_of(value):
    """The code of a function and of everything that it wraps."""
    codes = []
    waiting = [value]
    while waiting and len(codes) < 20:
        one = waiting.pop()
        if isinstance(one, type) or one is None:
            continue
        attributes = getattr(one, "__dict__", {})
        if isinstance(one, types.FunctionType):
            codes.append(one.__code__)
            waiting.append(attributes.get("__wrapped__"))
        elif isinstance(one, DECORATED + (types.MethodType,)):
            waiting.append(one.__func__)
        elif isinstance(one, property):
            waiting.append(one.fget)
        else:
            # Cached functions, cached properties, fixtures.
            waiting += [inner for inner in list(attributes.values()) if isinstance(inner, types.FunctionType)]
            waiting.append(getattr(type(one), "func", None) and one.func)
            if "__wrapped__" in attributes:
                waiting.append(attributes["__wrapped__"])
    return codes


def compare_exports(modules, is_project_code):
    """`pytest.raises` and similar names refer to definitions in another module."""
    found = []
    for package, inside in (("pytest", "_pytest."), ("unittest", "unittest.")):
        if package not in modules:
            continue
        homes = {}
        for home, (module, source) in modules.items():
            if home.startswith(inside):
                for name in source.get((), {}):
                    if name in vars(module):
                        homes.setdefault(name, []).append(vars(module)[name])
        for name, value in list(vars(modules[package][0]).items()):
            if name in homes and not any(value is one for one in homes[name]):
                found += judge(package + "." + name, value, is_project_code)
    return found


def judge(name, value, is_project_code):
    """Tools of the test run may wrap these functions, as the file of their code shows. `disarmed` covers them."""
    if isinstance(value, type):
        # Some classes of pytest claim to be built-in.
        codes = [code for method in list(vars(value).values()) for code in codes_of(method)]
    else:
        codes = codes_of(value)
    files = [code.co_filename for code in codes]
    own = [file for file in files if is_project_code(file)]
    if own:
        return [(name, own[0])]
    known = [file for file in files if not file.startswith("<") or is_generated(name, file)]
    if known or (isinstance(value, type) and value.__name__ == name.split(".")[-1]):
        return []
    home = None if files else getattr(sys.modules.get(type(value).__module__), "__file__", None)
    return [] if home and not is_project_code(home) else [(name, home)]


def is_generated(name, file):
    """Special methods generated by dataclasses and attrs have no file."""
    return name.endswith("__") and (file == "<string>" or file.startswith("<attrs generated"))

import { runProgram } from './run-program.mjs'

/** Reads the source on its path with Python's own parser, and prints what the module exports as JSON. */
const program = `
import ast, json, sys

def parameters(node, bound):
    a = node.args
    names = [p.arg for p in a.posonlyargs + a.args][1 if bound else 0:]
    names += ["*" + a.vararg.arg] if a.vararg else []
    names += [p.arg for p in a.kwonlyargs]
    return names + (["**" + a.kwarg.arg] if a.kwarg else [])

def static(node):
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)

def is_property(node):
    names = [d.id if isinstance(d, ast.Name) else d.attr if isinstance(d, ast.Attribute) else "" for d in node.decorator_list]
    return any(n in ("property", "cached_property", "setter", "getter", "deleter") for n in names)

functions = (ast.FunctionDef, ast.AsyncFunctionDef)

def described(name, node):
    if isinstance(node, functions):
        return dict(name=name, kind="function", isAsync=isinstance(node, ast.AsyncFunctionDef), parameters=parameters(node, False), methods=[])
    if isinstance(node, ast.ClassDef):
        own = [m for m in node.body if isinstance(m, functions)]
        init = [m for m in own if m.name == "__init__"]
        methods = [m.name for m in own if not m.name.startswith("_") and not is_property(m)]
        return dict(name=name, kind="class", isAsync=False, parameters=parameters(init[-1], True) if init else [], methods=list(dict.fromkeys(methods)))
    return dict(name=name, kind="value", isAsync=False, parameters=[], methods=[])

def statements(body):
    for node in body:
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            continue
        yield node
        for part in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                yield from statements(getattr(node, part, []))
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield from statements(handler.body)

def names(node):
    if isinstance(node, (ast.Tuple, ast.List)):
        return [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return []

try:
    with open(sys.argv[1], "rb") as file:
        tree = ast.parse(file.read(), sys.argv[1])
except SyntaxError as error:
    print(json.dumps(dict(error="%s:%s:%s: %s" % (sys.argv[1], error.lineno, error.offset, error.msg))))
    sys.exit()
except (ValueError, RecursionError) as error:
    print(json.dumps(dict(error="%s: %s" % (sys.argv[1], error))))
    sys.exit()

found, listed = {}, None
for node in statements(tree.body):
    if isinstance(node, functions + (ast.ClassDef,)):
        found[node.name] = node
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if isinstance(target, ast.Name) and target.id == "__all__" and getattr(node, "value", None):
        listed = (listed or []) + names(node.value) if isinstance(node, ast.AugAssign) else names(node.value)
chosen = listed if listed is not None else [name for name in found if not name.startswith("_")]
print(json.dumps(dict(exported=[described(name, found.get(name)) for name in dict.fromkeys(chosen)], module="python")))
`

/** Returns the exports of a Python file: what `__all__` lists, else its functions and classes whose names begin with no underscore. */
export async function pythonExports(path) {
  const { exitCode, output } = await runProgram(
    ['python3', '-I', '-S', '-B', '-W', 'ignore', '-X', 'utf8', '-c', program, path],
    60_000,
  )
  if (exitCode !== 0)
    return { error: `${path}: python3 could not read it: ${output.trim().split('\n').at(-1)}` }
  return JSON.parse(output)
}

/** Inputs of a state under one name. */
interface InputGroup {
  /** What templates call them; undefined if they are only among `inputs`. */
  name: string | undefined
  /** Each pattern with its place below `input`. */
  patterns: { pattern: string; path: PropertyKey[] }[]
}

/**
 * Returns the inputs of a state by the names that templates have for them: the key of the map, or else the first folder of the
 * path, or the name of a file without a folder, with `_` for `-`. Takes any value; parts of a wrong type are left out.
 */
export function inputGroups(input: unknown): InputGroup[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return byFolder(patternsOf(input, []))
  return Object.entries(input).map(([name, paths]) => ({ name, patterns: patternsOf(paths, [name]) }))
}

function patternsOf(paths: unknown, at: PropertyKey[]): InputGroup['patterns'] {
  if (typeof paths === 'string') return paths === '' ? [] : [{ pattern: paths, path: at }]
  if (!Array.isArray(paths)) return []
  return paths.flatMap((one: unknown, i) =>
    typeof one === 'string' && one !== '' ? [{ pattern: one, path: [...at, i] }] : [],
  )
}

function byFolder(patterns: InputGroup['patterns']): InputGroup[] {
  const groups = new Map<string, InputGroup>()
  for (const one of patterns) {
    const name = nameOf(one.pattern)
    const group = groups.get(name ?? '') ?? { name, patterns: [] }
    group.patterns.push(one)
    groups.set(name ?? '', group)
  }
  return [...groups.values()]
}

/** Returns the name of a path in templates, if it can be one. The task has a variable of its own. */
function nameOf(pattern: string): string | undefined {
  if (pattern === 'task') return undefined
  const [first = '', ...rest] = pattern.split('/')
  const name = (rest.length > 0 ? first : first.replace(/\.[^.]*$/, '')).replaceAll('-', '_')
  return /^[A-Za-z_]\w*$/.test(name) ? name : undefined
}

/** What a runner prints of one test: whether it passed. Skipped tests are absent. */
export type NamedResults = ReadonlyMap<string, boolean>

const joint = ' > '

/**
 * Reads the names and results of tests from what a runner prints: TAP, the trees of node:test, Jest, Vitest and Mocha, pytest with
 * `-v` or `-rA`, unittest with `-v`, Go with `-v`, and Cargo. A name that occurs twice passes if it passes each time. Empty where
 * the output names no test.
 */
export function readNamedResults(output: string): NamedResults {
  const results = new Map<string, boolean>()
  const add = (name: string, passed: boolean) => results.set(name, passed && (results.get(name) ?? true))
  const readers = [tapReader(add), treeReader(add), lineReader(add)]
  for (const line of output.replaceAll(ansi, '').split(/\r?\n/)) {
    if (line.length > longestLine) continue
    for (const read of readers) if (read(line)) break
  }
  return results
}

/** A longer line is no name of a test. */
const longestLine = 2000

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour by control characters
const ansi = /\u001b\[[\d;]*[A-Za-z]/g

type Add = (name: string, passed: boolean) => void
type LineReader = (line: string) => boolean

const indentOf = (line: string) => line.length - line.trimStart().length

function tapReader(add: Add): LineReader {
  let names: string[] = []
  const parents = new Set<string>()
  return (line) => {
    const depth = indentOf(line) / 4
    const text = line.trimStart()
    if (text.startsWith('# Subtest: ')) {
      names = [...names.slice(0, depth), text.slice('# Subtest: '.length)]
      return true
    }
    const [, not, given = ''] = /^(not )?ok \d+ (?:- )?(.*)$/.exec(text) ?? []
    if (given === '') return false
    const [name = '', directive] = given.split(/ # (?=(?:SKIP|TODO)\b)/i)
    const path = [...names.slice(0, depth), name.trimEnd()]
    const whole = path.join(joint)
    for (let i = 1; i < path.length; i++) parents.add(path.slice(0, i).join(joint))
    // A suite is reported after its tests.
    if (directive === undefined && !parents.has(whole)) add(whole, not === undefined)
    return true
  }
}

const passSign = /^[✔✓√] +/
const failSign = /^(?:[✖✕×✗] +|\d+\) )/
const skipSign = /^[﹣↓○-] +/

function treeReader(add: Add): LineReader {
  let groups: { indent: number; name: string }[] = []
  let ended = false
  return (line) => {
    const text = line.trim()
    if (/^(?:✖ failing tests:|\d+ passing\b)/.test(text)) ended = true
    if (ended || text === '') return false
    const indent = indentOf(line)
    const within = () => groups.filter((group) => group.indent < indent)
    const sign = passSign.exec(text) ?? failSign.exec(text)
    if (sign) {
      const name = withoutTime(text.slice(sign[0].length))
      const path = [...within().map((group) => group.name), name].join(joint)
      // Node prints a suite that failed once more, after its tests.
      if (groups.some((group) => group.indent === indent && group.name === name)) return true
      if (!/ # (?:SKIP|TODO)\b/i.test(text)) add(path, passSign.test(text))
      return true
    }
    if (skipSign.test(text)) return false
    const [, file] = /^(?:PASS|FAIL) +(\S.*)$/.exec(text) ?? []
    const [, suite] = /^▶ +(\S.*)$/.exec(text) ?? []
    if (file !== undefined) groups = [{ indent: -1, name: withoutTime(file) }]
    else if (suite !== undefined || indent >= 2)
      groups = [...within(), { indent, name: withoutTime(suite ?? text) }]
    return false
  }
}

/** Drops what differs from run to run: `(1.5 ms)`, `12ms`, `(3 tests)`. */
const withoutTime = (name: string) =>
  name
    .replace(/ \(\d+ tests?(?: \| [^)]*)?\)/, '')
    .replace(/ \(?\d+(?:\.\d+)? ?m?s\)?$/, '')
    .trim()

const pytestWords = { PASSED: true, XPASS: true, FAILED: false, ERROR: false } as const

function lineReader(add: Add): LineReader {
  return (line) => {
    const read = (match: RegExpExecArray | null, name: number, word: number, passes: RegExp) => {
      const [found, verdict] = [match?.[name], match?.[word]]
      if (found === undefined || verdict === undefined) return false
      add(found, passes.test(verdict))
      return true
    }
    const words = Object.keys(pytestWords).join('|')
    return (
      read(new RegExp(`^(\\S+::\\S.*?) (${words})\\b`).exec(line), 1, 2, /PASS/) ||
      read(new RegExp(`^(${words}) (\\S+::\\S.*?)(?: - .*)?$`).exec(line), 2, 1, /PASS/) ||
      read(/^(\w+ \([\w.]+\))(?: .*)? \.\.\. (ok|FAIL|ERROR)$/.exec(line), 1, 2, /ok/) ||
      read(/^ *--- (PASS|FAIL): (\S+)/.exec(line), 2, 1, /PASS/) ||
      read(/^test (\S+) \.\.\. (ok|FAILED)$/.exec(line), 1, 2, /ok/)
    )
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfigured, valuesAt } from '../../../src/agents/cli/configured.ts'
import type { CliOutput } from '../../../src/agents/cli/kind.ts'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import { describedClis } from '../../helpers/agents/described-clis.ts'

type Cli = keyof typeof describedClis
const names = Object.keys(describedClis) as Cli[]
const programOf = (cli: Cli) => AgentProgram.parse(describedClis[cli])
const folder = join(packageRoot(), 'fixtures', 'cli-captures')

/** The outputs of a real CLI, by the name of the capture. */
function captures(cli: Cli): [string, CliOutput][] {
  const files = readdirSync(join(folder, cli)).filter((file) => file.includes('.std'))
  const text = (start: string) => {
    const file = files.find((one) => one.startsWith(start))
    return file ? readFileSync(join(folder, cli, file), 'utf8') : ''
  }
  const all = [...new Set(files.map((file) => file.split('.')[0] as string))]
  return all.map((name) => {
    const failed = name.startsWith('err-') && !name.includes('once')
    const exitCode = failed || name.includes('resume-bad') ? 1 : 0
    return [name, { stdout: text(`${name}.stdout.`), stderr: text(`${name}.stderr.`), exitCode }]
  })
}
// Captured in another format than the described one.
const otherFormat = ['claude json-verbose', 'gemini write-autoedit']
const all = names
  .flatMap((cli) => captures(cli).map(([name, output]) => ({ cli, name, output })))
  .filter(({ cli, name }) => !otherFormat.includes(`${cli} ${name}`))

describe('a CLI described in a config file', () => {
  it.each(all)('is read like the CLI that is known by name: $cli $name', ({ cli, output }) => {
    const known = cliKinds.find(({ program }) => program === cli)?.read(output)
    const described = readConfigured(programOf(cli), output)
    const common = ({ text, session, tokens }: NonNullable<typeof known>) => {
      const { cacheWriteHour: _, ...counts } = tokens
      return { text, session, counts }
    }
    expect(known && common(described)).toEqual(known && common(known))
    expect(described.error === undefined).toBe(known?.error === undefined)
  })

  it('is read without an exception, whatever it prints', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.json()).map((lines) => lines.join('\n')),
    )
    fc.assert(
      fc.property(junk, fc.string(), fc.constantFrom(0, 1, null), (stdout, stderr, exitCode) => {
        for (const cli of names) {
          const { text, tokens, costUsd } = readConfigured(programOf(cli), { stdout, stderr, exitCode })
          expect(typeof text).toBe('string')
          for (const count of [tokens.input, tokens.output, tokens.cached, costUsd])
            expect(count === null || (Number.isFinite(count) && count >= 0)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a reading of a described CLI', () => {
  const program = AgentProgram.parse({
    command: ['own'],
    text: '$.answer',
    error: '$.problem',
    status: '$.problem.code',
    tokens: { input: ['$.in', '$.hit'], output: '$.out' },
    cost: '$.dollars',
  })
  const readOf = (value: object, exitCode: number | null = 0, stderr = '') =>
    readConfigured(program, { stdout: JSON.stringify(value), stderr, exitCode })

  it('has null for a missing number and 0 for a reported 0', () => {
    expect(readOf({ answer: 'a' })).toMatchObject({ tokens: { input: null, output: null }, costUsd: null })
    expect(readOf({ answer: 'a', in: 0, out: 0, dollars: 0 })).toMatchObject({
      tokens: { input: 0, output: 0, cached: null },
      costUsd: 0,
    })
  })

  it('counts a missing part as 0, except the first, and rejects impossible amounts', () => {
    expect(readOf({ answer: 'a', in: 3, hit: 4, out: -1 }).tokens).toEqual({
      input: 7,
      output: null,
      cached: null,
    })
    expect(readOf({ answer: 'a', in: 3, hit: null, out: '5' }).tokens).toMatchObject({
      input: 3,
      output: null,
    })
    expect(readOf({ answer: 'a', hit: 4, out: 5 }).tokens).toMatchObject({ input: null, output: 5 })
  })

  it('is a success if there is an answer and no error, whatever the exit code', () => {
    expect(readOf({ answer: 'a', problem: null }, 1, 'Error: telemetry failed')).toMatchObject({ text: 'a' })
    expect(readOf({ answer: 'a' }, 1).error).toBeUndefined()
    expect(readOf({ answer: 'a' }, null).error?.reason).toBe('exit')
  })

  it('is a failure if there is an error, even with exit code 0 and an answer', () => {
    const problem = { code: 429, message: 'slow down' }
    expect(readOf({ answer: 'half', problem })).toMatchObject({
      text: '',
      error: { reason: 'quota', message: 'slow down' },
    })
    expect(readOf({ answer: 'half', problem: true }).error).toEqual({ reason: 'exit', message: 'half' })
    expect(readOf({ problem: { code: 500 } }).error).toEqual({ reason: 'server', message: '{"code":500}' })
  })

  it('is a failure with the last line of stderr if there is no answer', () => {
    const nothing = { stdout: 'hello', stderr: 'Error: 401 bad key\n', exitCode: 0 }
    expect(readConfigured(program, nothing).error).toEqual({ reason: 'key', message: 'Error: 401 bad key' })
    expect(readOf({ other: 1 }, 2).error?.message).toBe('ended with exit code 2 and no answer')
    expect(readOf({ answer: '' }, 0).error).toBeUndefined()
  })

  it('takes the whole output as the answer of a text program', () => {
    const plain = AgentProgram.parse({ command: ['own'], output: 'text' })
    const reading = readConfigured(plain, { stdout: ' {"a": 1}\n', stderr: '', exitCode: 0 })
    expect(reading).toMatchObject({ text: '{"a": 1}', tokens: { input: null, output: null }, costUsd: null })
    expect(reading.error).toBeUndefined()
  })
})

describe('a path', () => {
  const value = {
    a: { 'b c': [1, 2, 3] },
    list: [{ type: 'x', of: { n: 1 } }, { type: 'y', of: { n: 2 } }, { of: { n: null } }, 'text'],
  }
  it.each([
    ['$', [value]],
    ["$.a['b c'][0]", [1]],
    ["$.a['b c'][-1]", [3]],
    ["$.a['b c'][-4]", []],
    ["$.a['b c'][3]", []],
    ["$.a['b c'][*]", [1, 2, 3]],
    ["$.list[?@.type == 'y'].of.n", [2]],
    ['$.list[?@.of.n==1].type', ['x']],
    ['$.list[?@.of.n == null].of', [{ n: null }]],
    ['$.a.*', [[1, 2, 3]]],
    ['$.list[*].type', ['x', 'y']],
    ['$.toString', []],
    ['$.a.b.c', []],
  ])('%s finds the values that RFC 9535 defines', (path, found) => {
    expect(valuesAt(value, path)).toEqual(found)
  })
})

describe('the description of a program', () => {
  const wrong = (program: object) =>
    AgentProgram.safeParse({ command: ['own'], text: '$.a', ...program }).error?.issues.map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    )

  it('rejects invalid paths, placeholders and file names', () => {
    expect(wrong({})).toBeUndefined()
    for (const path of ['a.b', '$.a..b', '$[?(@.a)]', '$.a[1:2]', "$['a]"])
      expect(wrong({ text: path })).toHaveLength(1)
    expect(wrong({ env: { A: '{modle}' } })).toMatchSnapshot()
    for (const place of ['/etc/passwd', '../x', 'a/../../x', 'a/..'])
      expect(wrong({ home: { [place]: '' } })).toHaveLength(1)
    expect(wrong({ home: { '.own/a..b': '{"any": "{braces}"}' } })).toBeUndefined()
  })

  it('requires the fields of a session', () => {
    expect(wrong({ command: ['own', '{session}'] })).toMatchSnapshot()
    expect(wrong({ resume: ['other', 'go'] })).toMatchSnapshot()
    expect(wrong({ output: 'text' })).toEqual(['text conflicts with `output: text`; remove it'])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClaude } from '../../../src/agents/cli/claude.ts'
import { readCodex } from '../../../src/agents/cli/codex.ts'
import { readGemini } from '../../../src/agents/cli/gemini.ts'
import type { CliOutput, CliReading } from '../../../src/agents/cli/kind.ts'
import { readOpencode } from '../../../src/agents/cli/opencode.ts'
import { readQwen } from '../../../src/agents/cli/qwen.ts'
import { packageRoot } from '../../../src/base/package-root.ts'

const readers = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  opencode: readOpencode,
  qwen: readQwen,
}
type Cli = keyof typeof readers

/** Returns the output of the real CLI; see fixtures/cli-captures. */
function captured(cli: Cli, name: string, exitCode: number): CliOutput {
  const folder = join(packageRoot(), 'fixtures', 'cli-captures', cli)
  const text = (stream: string) => {
    const file = readdirSync(folder).find((one) => one.startsWith(`${name}.${stream}.`))
    return file ? readFileSync(join(folder, file), 'utf8') : ''
  }
  return { stdout: text('stdout'), stderr: text('stderr'), exitCode }
}
const read = (cli: Cli, name: string, exitCode = 0): CliReading => readers[cli](captured(cli, name, exitCode))

// The scripted server answered each of these with 1,369 tokens in, of them 307 cached, and 100 out, of them 29 reasoning.
const usual = { input: 1369, output: 100, cached: 307, reasoning: 29 }

describe('an answer of a real CLI', () => {
  it.each([
    ['claude', 'resume', 'PONG 2', { ...usual, cacheWrite: 53, cacheWriteHour: 0 }, 0.0127248],
    ['claude', 'json-verbose', 'THOUGHT', { ...usual, cacheWrite: 53, cacheWriteHour: 0 }, 0.0031812],
    ['codex', 'json-stdin', 'THOUGHT', { ...usual, cacheWrite: 53 }, null],
    ['gemini', 'json-arg3', 'PONG 1', usual, null],
    ['opencode', 'json-stdin', 'THOUGHT', { ...usual, cacheWrite: 0 }, 0.0047781],
    ['qwen', 'json-nomem', 'PONG 1', usual, null],
  ] as const)('%s %s: text, tokens by kind and cost', (cli, name, text, tokens, costUsd) => {
    const reading = read(cli, name)
    expect(reading).toMatchObject({ text, tokens })
    expect(reading.error).toBeUndefined()
    if (costUsd === null) expect(reading.costUsd).toBeNull()
    else expect(reading.costUsd).toBeCloseTo(costUsd, 9)
    expect(reading.session).toMatch(/^[\w-]{20,}$/)
    expect(reading.usage).toBeDefined()
  })

  it.each([
    ['claude', 'write-acceptEdits', 'WROTE /project/a.txt'],
    ['codex', 'write-bypass', 'WROTE /project/by.txt'],
    ['gemini', 'write-yolo', 'WROTE /project/yolo.txt'],
    ['opencode', 'write-default', 'WROTE /project/a.txt'],
    ['qwen', 'write-autoedit', 'WROTE /project/ae.txt'],
  ] as const)('%s %s: two calls with a tool between them count as one answer', (cli, name, text) => {
    expect(read(cli, name)).toMatchObject({ text, tokens: { input: 470, output: 20, cached: 36 } })
  })

  it.each([
    ['codex', 'err-429once'],
    ['gemini', 'err-429once'],
    ['opencode', 'err-429once'],
    ['qwen', 'err-429once'],
  ] as const)('%s %s: a refusal that it recovered from is not a failure', (cli, name) => {
    const reading = read(cli, name)
    expect(reading).toMatchObject({ text: 'RECOVERED', tokens: { input: 1369, output: 100 } })
    expect(reading.error).toBeUndefined()
  })

  it('is distinguished from a total of the session', () => {
    const totals = (cli: Cli, name: string) => {
      const { cumulative, tokens, costUsd } = read(cli, name)
      return { ...cumulative, input: tokens.input, costUsd }
    }
    expect(totals('codex', 'resume-last')).toEqual({ tokens: true, cost: false, input: 3208, costUsd: null })
    expect(totals('qwen', 'continue')).toEqual({ tokens: true, cost: false, input: 4107, costUsd: null })
    expect(totals('claude', 'fork')).toMatchObject({ tokens: false, cost: true, input: 1369 })
    expect(read('claude', 'fork').costUsd).toBeCloseTo(3 * 0.0063624, 9)
    expect(totals('gemini', 'resume')).toEqual({ tokens: false, cost: false, input: 1369, costUsd: null })
    expect(totals('opencode', 'resume')).toMatchObject({ tokens: false, cost: false, input: 1369 })
  })

  it('includes a hidden call of qwen’s memory', () => {
    expect(read('qwen', 'json-arg').tokens.input).toBe(12_414)
  })

  it('may be empty with tokens spent if a tool was refused', () => {
    const reading = read('opencode', 'write-outside')
    expect(reading).toMatchObject({ text: '', tokens: { input: 228, output: 13, cached: 17 } })
    expect(reading.error).toBeUndefined()
  })
})

describe('a failure of a real CLI', () => {
  it.each([
    ['claude', 'err-401-key-r1', 1, 'key', 'Invalid API key'],
    ['claude', 'err-nokey2', 1, 'key', 'Not logged in'],
    ['claude', 'err-429always-r1', 1, 'quota', '429'],
    ['claude', 'resume-bad', 1, 'exit', 'No conversation found'],
    ['codex', 'err-401-key', 1, 'key', '401 Unauthorized'],
    ['codex', 'err-nokey', 1, 'key', 'Missing environment variable'],
    ['codex', 'err-429always', 1, 'quota', '429 Too Many Requests'],
    ['codex', 'resume-bad', 1, 'exit', 'no rollout found'],
    ['gemini', 'err-nokey', 41, 'key', 'GEMINI_API_KEY'],
    ['gemini', 'err-429-max2', 173, 'quota', 'rate limited'],
    ['gemini', 'resume-bad', 42, 'exit', 'Invalid session identifier'],
    ['opencode', 'err-401-key', 1, 'key', 'Incorrect API key'],
    ['opencode', 'err-429always', 1, 'quota', 'rate limited'],
    ['opencode', 'resume-bad', 1, 'exit', 'Session not found'],
    ['qwen', 'err-401-key', 1, 'key', '401 Incorrect API key'],
    ['qwen', 'err-nokey', 1, 'key', 'Missing API key'],
    ['qwen', 'resume-bad', 1, 'exit', 'No saved session'],
  ] as const)('%s %s has its reason and no answer', (cli, name, exitCode, reason, words) => {
    const reading = read(cli, name, exitCode)
    expect(reading.text).toBe('')
    expect(reading.error?.reason).toBe(reason)
    expect(reading.error?.message).toContain(words)
  })

  it('has null tokens, not 0, if the CLI reports none', () => {
    for (const [cli, name, exitCode] of [
      ['claude', 'resume-bad', 1],
      ['codex', 'err-429always', 1],
      ['gemini', 'err-429-max2', 173],
      ['opencode', 'err-401-key', 1],
      ['qwen', 'resume-bad', 1],
    ] as const)
      expect(read(cli, name, exitCode).tokens).toEqual({ input: null, output: null, cached: null })
  })

  it('is detected despite exit code 0: a broken stream of gemini, a refused claude', () => {
    const stream = { session_id: 's', response: 'half', error: { type: 'INVALID_STREAM', message: 'cut' } }
    expect(readGemini({ stdout: JSON.stringify(stream), stderr: '', exitCode: 0 })).toMatchObject({
      text: '',
      error: { reason: 'network', message: 'cut' },
    })
    const refused = { type: 'result', subtype: 'success', is_error: true, result: 'API Error', usage: {} }
    expect(readClaude({ stdout: JSON.stringify(refused), stderr: '', exitCode: 0 }).error).toBeDefined()
  })
})

describe('any output of a CLI', () => {
  const names = Object.keys(readers) as Cli[]

  it('may have banners around its JSON', () => {
    for (const [cli, name] of [
      ['claude', 'resume'],
      ['gemini', 'json-arg3'],
      ['qwen', 'json-nomem'],
      ['codex', 'json-stdin'],
      ['opencode', 'json-stdin'],
    ] as const) {
      const output = captured(cli, name, 0)
      const bannered = `** Update available! {1.0 -> 2.0} **\n${output.stdout}\nBye [ok] {}.`
      expect(readers[cli]({ ...output, stdout: bannered }), cli).toEqual(readers[cli](output))
    }
  })

  it('is a failure with no tokens if it is empty or the CLI was killed', () => {
    for (const cli of names) {
      const reading = readers[cli]({ stdout: '', stderr: '', exitCode: null })
      expect(reading.error?.reason, cli).toBe('exit')
      expect(reading.tokens).toEqual({ input: null, output: null, cached: null })
    }
  })

  it('is read without an exception', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.json()).map((lines) => lines.join('\n')),
    )
    fc.assert(
      fc.property(junk, fc.string(), fc.constantFrom(0, 1, 41, 173, null), (stdout, stderr, exitCode) => {
        for (const cli of names) {
          const { text, tokens } = readers[cli]({ stdout, stderr, exitCode })
          expect(typeof text).toBe('string')
          for (const count of [tokens.input, tokens.output, tokens.cached])
            expect(count === null || Number.isFinite(count)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('may be 5 MB long', () => {
    const text = 'x{["'.repeat(1_250_000)
    const stdout = JSON.stringify({ type: 'result', result: text, usage: {}, session_id: 's' })
    expect(readClaude({ stdout: `banner\n${stdout}`, stderr: '', exitCode: 0 }).text).toBe(text)
  })
})

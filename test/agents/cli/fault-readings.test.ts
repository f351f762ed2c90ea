import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CliOutput, CliReading } from '../../../src/agents/cli/kind.ts'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import { packageRoot } from '../../../src/base/package-root.ts'

const none = { input: null, output: null, cached: null }

function readingOf(program: string, output: Partial<CliOutput>): CliReading {
  const kind = cliKinds.find((one) => one.program === program)
  if (!kind) throw new Error(`no kind ${program}`)
  return kind.read({ stdout: '', stderr: '', exitCode: 0, ...output })
}

/** Reads an output of the real CLI; see fixtures/cli-faults. */
function read(program: string, name: string, exitCode: number | null = 1): CliReading {
  const file = (stream: string) =>
    join(packageRoot(), 'fixtures', 'cli-faults', program, `${name}.${stream}.txt`)
  const text = (stream: string) => (existsSync(file(stream)) ? readFileSync(file(stream), 'utf8') : '')
  return readingOf(program, { stdout: text('stdout'), stderr: text('stderr'), exitCode })
}

describe('a fault of a real CLI', () => {
  it.each([
    ['claude', 'err-cut', 1, 'network', 'Connection to the API was lost'],
    ['claude', 'err-malformed', 1, 'server', 'JSON Parse error'],
    ['claude', 'length', 1, 'empty', 'output token maximum'],
    ['claude', 'refusal', 1, 'refusal', "can't help with this"],
    ['codex', 'err-400', 1, 'request', /^temperature is out of range$/],
    ['codex', 'err-500always', 1, 'server', 'high demand'],
    ['gemini', 'empty', 0, 'empty', 'empty response'],
    ['gemini', 'thoughts', 0, 'empty', 'no final response text'],
    ['gemini', 'err-cut', 1, 'network', 'terminated'],
    ['gemini', 'err-malformed', 1, 'server', 'Unterminated string'],
    ['gemini', 'err-400', 144, 'request', /^temperature is out of range$/],
    ['gemini', 'unknown-flag', 1, 'exit', /^Unknown argument: format$/],
    ['opencode', 'refusal', 1, 'refusal', 'blocked by the provider'],
    ['qwen', 'empty', 1, 'empty', 'empty response text'],
    ['qwen', 'err-cut', 1, 'network', 'terminated'],
    ['qwen', 'err-malformed', 1, 'server', 'Unterminated string'],
  ] as const)('%s %s (exit code %j) is read as %s', (program, name, exitCode, reason, words) => {
    const { text, error } = read(program, name, exitCode)
    expect([text, error?.reason]).toEqual(['', reason])
    expect(error?.message).toMatch(words)
  })

  it.each([
    ['claude', 'err-cut'],
    ['claude', 'err-malformed'],
    ['qwen', 'err-cut'],
    ['qwen', 'err-malformed'],
  ])('%s %s has null tokens, since a reply broke off that it does not count', (program, name) => {
    expect(read(program, name).tokens).toEqual(none)
  })

  it('gives no text where qwen joined the part of a reply that broke off with another reply, though it ended well', () => {
    const event = (subtype: string, more: object) => ({ type: 'system', subtype, ...more })
    const output = (preserveText: boolean) =>
      JSON.stringify([
        event('retry', { data: { reason: 'retry', preserveText } }),
        {
          ...{ type: 'result', is_error: false, result: 'The answer is 4The answer is 42' },
          usage: { input_tokens: 20, output_tokens: 9 },
        },
      ])
    expect(readingOf('qwen', { stdout: output(true) })).toMatchObject({
      text: '',
      tokens: none,
      error: { reason: 'network', message: expect.stringContaining('broke off') },
    })
    expect(readingOf('qwen', { stdout: output(false) })).toMatchObject({ text: expect.stringMatching(/42$/) })
  })

  it.each([
    ['--dangerously-skip-permissions cannot be used with root/sudo privileges', true],
    ['--model: unknown model "x"', true],
    ['-m requires a value', true],
    ['  -m, --model  The model  [string]', false],
    ['      --list-extensions   List all extensions', false],
    ['--model <name>  The model', false],
    ['--model=<name>', false],
    ['- a list', false],
    ['-----', false],
  ])('of a program that said only %j on stderr, the message is that line: %s', (line, isTold) => {
    const { error } = readingOf('claude', { stderr: `${line}\n`, exitCode: 1 })
    expect(error?.message).toBe(isTold ? line : 'ended with exit code 1 and no JSON')
  })

  it('keeps the text of a reply that its limit cut, where the program tells it', () => {
    expect(read('codex', 'length')).toMatchObject({ text: 'HALF' })
    expect(read('codex', 'length').error).toBeUndefined()
  })

  it('is absent if the model gave thoughts alone: the text is empty', () => {
    const { text, error, tokens } = read('opencode', 'thoughts', 0)
    expect([text, error, tokens.output]).toEqual(['', undefined, 4])
  })

  it('has the tokens of all models if the budget of claude ended it before it added its last call', () => {
    const result = {
      ...{
        type: 'result',
        subtype: 'error_max_budget_usd',
        is_error: true,
        errors: ['Reached maximum budget'],
      },
      usage: { input_tokens: 40, cache_read_input_tokens: 5, output_tokens: 7 },
      modelUsage: {
        one: { inputTokens: 60, outputTokens: 9, cacheReadInputTokens: 10, cacheCreationInputTokens: 2 },
        two: { inputTokens: 5, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
      },
    }
    const reading = readingOf('claude', { stdout: JSON.stringify(result), exitCode: 1 })
    expect(reading.tokens).toMatchObject({ input: 77, output: 10, cached: 10, cacheWrite: 2 })
    expect(reading.error?.message).toContain('Reached maximum budget')
  })
})

describe.each(cliKinds.map(({ program }) => program))('%s', (program) => {
  it.each(['', 'A banner {1}\n', '{}', 'Hello, how are you?'])(
    'with exit code 0 and no answer in its JSON is a failure: %j',
    (stdout) => {
      if (program === 'gemini' && stdout === '{}') return
      expect(readingOf(program, { stdout })).toMatchObject({
        text: '',
        tokens: none,
        error: { reason: 'exit' },
      })
    },
  )

  it('with exit code 0 and no output says so, whatever notes it printed', () => {
    const stderr = 'Warning: no colours\nRipgrep is not available. Falling back to GrepTool.\n'
    expect(readingOf(program, { stderr }).error?.message).toMatch(/^ended with exit code 0 and no /)
  })

  it.each([
    [{ exitCode: null, killedBy: 'SIGKILL' }, 'SIGKILL'],
    [{ exitCode: null }, 'a signal'],
    [{ exitCode: 143 }, 'SIGTERM'],
  ])('that was killed names the signal and no note: %j', (end, signal) => {
    const stderr = 'Reading additional input from stdin...\nYOLO mode is enabled.\n'
    expect(readingOf(program, { ...end, stderr }).error).toEqual({
      reason: 'exit',
      message: `ended by ${signal}`,
    })
    const failed = readingOf(program, {
      ...end,
      stderr: `${stderr}Error: no more memory\n    at main (x.js:1)\n`,
    })
    expect(failed.error?.message).toBe(`ended by ${signal}: Error: no more memory`)
  })
})

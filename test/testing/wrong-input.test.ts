import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy } from '../../src/strategy.ts'
import { failingAfter, play, scriptedAgent, timingOut } from '../../src/testing.ts'

// A test in plain JavaScript has no types that would tell these mistakes.

const strategy = defineStrategy({
  name: 'drafting',
  summary: 'What a test plays.',
  roles: { writer: 'produce', reviewer: 'judge' },
  options: z.strictObject({
    drafts: z.int().min(1).default(2),
    tone: z.enum(['dry', 'warm']).default('dry'),
  }),
  run: async ({ ask }) => {
    const answer = await ask('writer', 'Write.')
    await ask('reviewer', 'Judge.', { shape: z.object({ approved: z.boolean() }) })
    return { answer, stopReason: 'done' }
  },
})
const lines = [
  ['writer', 'draft'],
  ['reviewer', { approved: true }],
]
const wrong = (...given: unknown[]) => (play as (...given: unknown[]) => Promise<unknown>)(...given)

describe('play() refuses', () => {
  it.each([
    [
      'an unknown field of the scene',
      { cheks: ['passed'] },
      '[play() scene.cheks] is not a known field. Did you mean checks?',
    ],
    [
      'an unknown check',
      { checks: ['pased'] },
      '[play() scene.checks.0] "pased" is not allowed. Did you mean passed?',
    ],
    [
      'a check of which a part is missing',
      { checks: [{ status: 'failed', total: 1, output: '' }] },
      '[play() scene.checks.0.passed] is missing.',
    ],
    [
      'an unknown answer to an approval',
      { approvals: [{ decision: 'yes', feedback: '' }] },
      '[play() scene.approvals.0.decision] "yes" is not allowed. Use one of approved, feedback, abort.',
    ],
    [
      'an unknown output',
      { output: 'file' },
      '[play() scene.output] "file" is not allowed. Did you mean files?',
    ],
    [
      'a file that is no text',
      { files: { 'a.txt': 5 } },
      '[play() scene.files.a.txt] must be a string, got 5. Write it in quotes: "5".',
    ],
    [
      'an instruction that is no text',
      { instruction: ['Write.'] },
      '[play() scene.instruction] must be a string, got ["Write."].',
    ],
    ['a scene that is no object', null, '[play() scene] must be an object, got null.'],
  ])('%s', async (_, scene, message) => {
    await expect(wrong(strategy, {}, lines, scene)).rejects.toThrow(message)
  })

  it.each([
    ['no strategy', undefined, 'must be a strategy, got undefined.'],
    ['a module instead of its strategy', { default: strategy }, 'must be a strategy, got an object.'],
    ['a function', () => '', 'must be a strategy, got a function.'],
  ])('%s, and says what to pass', async (_, given, message) => {
    await expect(wrong(given, {}, lines)).rejects.toThrow(
      `[play() strategy] ${message} Pass the default export of its module: import strategy from './my-strategy.mjs'.`,
    )
  })

  it('nothing at all with the same words', async () => {
    await expect(wrong()).rejects.toThrow('[play() strategy] must be a strategy, got undefined.')
  })

  it.each([
    ['an unknown option', { draft: 3 }, '[play() options.draft] is not a known field. Did you mean drafts?'],
    [
      'an option of another type',
      { drafts: '3' },
      '[play() options.drafts] must be a number, got "3". Write it without quotes: 3.',
    ],
    ['an option out of its range', { drafts: 0 }, '[play() options.drafts] must be at least 1.'],
    ['an unknown word', { tone: 'wet' }, '[play() options.tone] "wet" is not allowed. Use one of dry, warm.'],
    [
      'no options',
      undefined,
      '[play() options] must be an object, got undefined. Write {} for the defaults.',
    ],
    ['a list', [], '[play() options] must be an object, got an array. Write {} for the defaults.'],
  ])('%s', async (_, options, message) => {
    await expect(wrong(strategy, options, lines)).rejects.toThrow(message)
  })

  const lineFix = "Write ['ROLE', 'reply'] or ['ROLE', 'reply', { 'FILE': 'text' }]."
  it.each([
    ['a text', 'text', '[play() script] must be lines, a double, or a double for each role, got a string.'],
    [
      'no script',
      undefined,
      '[play() script] must be lines, a double, or a double for each role, got undefined.',
    ],
    [
      'a double of a role that the strategy does not have',
      { writr: scriptedAgent(['x']) },
      '[play() script] there is no role "writr". Did you mean "writer"?',
    ],
    [
      'a double for all other roles',
      { '*': scriptedAgent(['x']) },
      '[play() script] there is no role "*". Known: writer, reviewer.',
    ],
    [
      'a function that is no double',
      async () => 'x',
      "[play() script] is a function, not a double. Make one: scriptedAgent(['reply']).",
    ],
    [
      'a role with replies alone',
      { writer: ['x'] },
      "[play() script.writer] is an array, not a double. Make one: scriptedAgent(['reply']).",
    ],
    [
      'a line of a role that the strategy does not have',
      [['writr', 'x']],
      '[play() script.0] there is no role "writr". Did you mean "writer"?',
    ],
    [
      'a line of a branch and such a role',
      [['a: critic', 'x']],
      '[play() script.0] there is no role "critic". Known: writer, reviewer.',
    ],
    ['a line that is a text', ['x'], `[play() script.0] is no line, but a string. ${lineFix}`],
    ['a line without a reply', [['writer']], `[play() script.0] has no reply. ${lineFix}`],
    [
      'a line with more than files',
      [['writer', 'x', {}, 5]],
      `[play() script.0] has 4 parts; the limit is 3. ${lineFix}`,
    ],
    [
      'a line whose reply is a promise',
      [['writer', Promise.resolve('x')]],
      '[play() script.0] has a reply that is a promise. Await it first.',
    ],
    [
      'a line whose file is no text',
      [['writer', 'x', { 'a.txt': 5 }]],
      '[play() script.0.2.a.txt] must be a string, got 5.',
    ],
  ])('%s as a script', async (_, script, message) => {
    await expect(wrong(strategy, {}, script)).rejects.toThrow(message)
  })

  it('all mistakes at once', async () => {
    const given = wrong(strategy, { draft: 3 }, [['writer'], 'x'], { cheks: [], sed: 'a' })
    const { message } = await given.then(
      () => new Error('nothing'),
      (error: Error) => error,
    )
    expect(message.split('\n').map((line) => line.split(']')[0])).toEqual([
      '[play() options.draft',
      '[play() script.0',
      '[play() script.1',
      '[play() scene.cheks',
      '[play() scene.sed',
    ])
  })

  it('a reply of a line that does not fit its ask, with the number of the ask', async () => {
    await expect(wrong(strategy, {}, [['writer', { text: 'x' }]])).rejects.toThrow(
      'ask 1: the script\'s reply for "writer" is an object, but the ask has no shape. Write a text.',
    )
    await expect(
      wrong(strategy, {}, [
        ['writer', 'x'],
        ['reviewer', { approved: 'yes' }],
      ]),
    ).rejects.toThrow(
      'ask 2: the script\'s reply for "reviewer" has not the shape of the ask: approved must be a boolean, got "yes".',
    )
  })

  it('nothing that is right', async () => {
    const scene = {
      ...{ instruction: 'Write.', files: { a: 'A' }, seed: 'x', output: 'files' },
      ...{ checks: undefined, approvals: [] },
    }
    await expect(wrong(strategy, { drafts: 3 }, lines, scene)).resolves.toMatchObject({ answer: 'draft' })
  })
})

describe('a double refuses', () => {
  const make =
    (create: unknown, ...given: unknown[]) =>
    () =>
      (create as (...given: unknown[]) => unknown)(...given)

  it.each([
    [
      'an unknown key',
      [{ txt: 'x' }],
      '[scriptedAgent() replies.0.txt] is not a known field. Did you mean text?',
    ],
    [
      'an unknown key of a role',
      { writer: ['x', { txt: 'x' }] },
      '[scriptedAgent() replies.writer.1.txt] is not a known field.',
    ],
    ['a number', [5], '[scriptedAgent() replies.0] must be a string or an object, got 5.'],
    ['a text that is no string', [{ text: 5 }], '[scriptedAgent() replies.0.text] must be a string, got 5.'],
    [
      'a text beside data',
      [{ text: 'x', data: {} }],
      '[scriptedAgent() replies.0] has text and data. Use one of them.',
    ],
    [
      'an unknown reason',
      [{ error: { reason: 'time-out', message: 'x' } }],
      '[scriptedAgent() replies.0.error.reason] "time-out" is not allowed. Did you mean timeout?',
    ],
    [
      'unknown tokens',
      [{ tokens: { in: 5 } }],
      '[scriptedAgent() replies.0.tokens.in] is not a known field.',
    ],
    ['a negative price', [{ costUsd: -1 }], '[scriptedAgent() replies.0.costUsd] must be at least 0.'],
    [
      'an endless time',
      [{ durationMs: Number.POSITIVE_INFINITY }],
      '[scriptedAgent() replies.0.durationMs] must be a number',
    ],
  ])('a reply with %s', (_, replies, message) => {
    expect(make(scriptedAgent, replies)).toThrow(message)
  })

  it.each([null, undefined, 'x', 5])('%s in place of replies', (replies) => {
    expect(make(scriptedAgent, replies)).toThrow('needs an array with at least one reply')
  })

  it.each([
    [
      'an unknown end',
      { atEnd: 'x' },
      '[scriptedAgent() options.atEnd] "x" is not allowed. Use one of cycle, fail.',
    ],
    [
      'an unknown option',
      { atend: 'fail' },
      '[scriptedAgent() options.atend] is not a known field. Did you mean atEnd?',
    ],
    ['a word', 'fail', '[scriptedAgent() options] must be an object, got "fail".'],
    ['null', null, '[scriptedAgent() options] must be an object, got null.'],
  ])('%s as options', (_, options, message) => {
    expect(make(scriptedAgent, ['x'], options)).toThrow(message)
  })

  it.each(['2', 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, null])(
    '%j as a number of calls',
    (count) => {
      expect(make(failingAfter, count, ['x'])).toThrow(
        /^\[failingAfter\(\) count\] must be a whole number of at least 0, got /,
      )
    },
  )

  it('replies of any number of calls, and an unknown reason of failure', () => {
    expect(make(failingAfter, 0, 'x')).toThrow('failingAfter() needs an array')
    expect(make(failingAfter, 1, ['x'], 'brokn')).toThrow(
      '[failingAfter() reason] "brokn" is not allowed. Use one of timeout, refusal,',
    )
    expect(make(failingAfter, 1, ['x'], 'srver')).toThrow('Did you mean server?')
    expect(make(failingAfter, 1, ['x'], { atEnd: 'fail' })).toThrow('[failingAfter() reason]')
  })

  it.each(['5000', -1, Number.NaN, Number.POSITIVE_INFINITY, undefined])('%j as a time', (ms) => {
    expect(make(timingOut, ms)).toThrow(/^\[timingOut\(\) ms\] must be a number of at least 0, got /)
  })

  it('a call of a role without replies, and names the roles that have some', () => {
    const { error } = scriptedAgent({ writr: ['x'], judge: ['y'] }).answer({
      ...{ role: 'writer', history: [], prompt: '', trial: { id: 't', rerun: 0 } },
    } as never)
    expect(error?.message).toBe(
      'the test double has no replies for role "writer", only for writr, judge; this is call 1',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy } from '../../src/strategy.ts'
import { play, scriptedAgent } from '../../src/testing.ts'

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
    ['an unknown field of the scene', { cheks: ['passed'] }],
    ['an unknown check', { checks: ['pased'] }],
    ['a check of which a part is missing', { checks: [{ status: 'failed', total: 1, output: '' }] }],
    ['an unknown answer to an approval', { approvals: [{ decision: 'yes', feedback: '' }] }],
    ['an unknown output', { output: 'file' }],
    ['a file that is no text', { files: { 'a.txt': 5 } }],
    ['an instruction that is no text', { instruction: ['Write.'] }],
    ['a scene that is no object', null],
  ])('%s', async (_, scene) => {
    await expect(wrong(strategy, {}, lines, scene)).rejects.toThrowErrorMatchingSnapshot()
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
    ['an unknown option', { draft: 3 }],
    ['an option of another type', { drafts: '3' }],
    ['an option out of its range', { drafts: 0 }],
    ['an unknown word', { tone: 'wet' }],
    ['no options', undefined],
    ['a list', []],
  ])('%s', async (_, options) => {
    await expect(wrong(strategy, options, lines)).rejects.toThrowErrorMatchingSnapshot()
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
    expect(message.split('\n').map((line) => line.split(']')[0])).toMatchSnapshot()
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

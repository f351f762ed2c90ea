import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentsOfMethods } from '../../../src/commands/agents/method-agents.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { mechanismsOf } from '../../../src/commands/methods/built-in-mechanisms.ts'
import { strategyFromFile } from '../../../src/commands/methods/own-strategy.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { makePlan } from '../../../src/loop/plan/plan.ts'
import { play } from '../../../src/testing.ts'
import { type Problem, UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** Writes files into a folder of their own; gives the path of the first. */
function written(files: Record<string, string>): string {
  const folder = tempFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return join(folder, Object.keys(files)[0] as string)
}

const problemsOf = (path: string) =>
  strategyFromFile(path).then(
    () => [],
    (error) => {
      expect(error).toBeInstanceOf(UserError)
      return (error as UserError).problems
    },
  )
const facts = async (files: Record<string, string>) =>
  (await problemsOf(written(files))).map(({ what }) => what)

const body = (name: string, prompt = "'Work.'") => `defineStrategy({
  name: '${name}',
  summary: 'One ask.',
  roles: { worker: 'produce' },
  options: z.strictObject({ times: z.int().default(1) }),
  run: async ({ ask }) => ({ answer: await ask('worker', ${prompt}), stopReason: 'done' as const }),
})`
const head = "import { defineStrategy, z } from 'orchestration-bench'\n"
const plain = (text: string) => text.replace(' as const', '')

describe('a strategy in a user’s file', () => {
  it.each([
    ['s.ts', `${head}export default ${body('mine')}`, {}],
    ['s.mts', `${head}export const mine = ${body('mine')}`, {}],
    ['s.mjs', `${head}export default ${plain(body('mine'))}`, {}],
    ['s.js', `${head}export default ${plain(body('mine'))}`, { 'package.json': '{"type":"module"}' }],
  ])('is read from %s, in a folder where nothing is installed', async (name, text, more) => {
    const { strategy } = await strategyFromFile(written({ [name]: text, ...more }))
    const { answer } = await play(strategy, {}, [['worker', 'Done.']])
    expect(answer).toBe('Done.')
  })

  it('is read again as it is now, with another digest when it or a file that it imports has changed', async () => {
    const path = written({
      's.ts': `${head}import { prompt } from './lib/prompt.ts'\nexport default ${body('mine', 'prompt')}`,
      'lib/prompt.ts': "export { prompt } from './words'",
      'lib/words.ts': "export const prompt: string = 'One.'",
    })
    const asked = async () => {
      const { strategy, digest } = await strategyFromFile(path)
      const { asks } = await play(strategy, {}, [['worker', '']])
      return { digest, prompt: asks[0]?.prompt }
    }
    const before = await asked()
    expect(await asked()).toEqual(before)
    writeFileSync(join(dirname(path), 'lib/words.ts'), "export const prompt: string = 'Two.'")
    const after = await asked()
    expect([before.prompt, after.prompt]).toEqual(['One.', 'Two.'])
    expect(after.digest).not.toBe(before.digest)
  })

  it('has one digest wherever its folder lies', async () => {
    const files = { 's.ts': `${head}export default ${body('mine')}` }
    const [a, b] = await Promise.all([files, files].map((one) => strategyFromFile(written(one))))
    expect(a?.digest).toBe(b?.digest)
  })
})

describe('a declaration that depends on options', () => {
  it('is checked for the options of each method before the run', async () => {
    const declaration = `({ times }) => {
      if (times === 2) throw new Error('boo')
      return { flow: times === 3 ? 'critic' : 'worker', stop: 'x', context: 'y' }
    }`
    const path = written({
      's.ts': `${head}export default ${body('mine').replace("summary: 'One ask.'", `$&, declaration: ${declaration}`)}`,
    })
    const problems: Problem[] = []
    const methods = `A=${path},B=${path}[times=2],C=${path}[times=3]`
    await selectMethods({ methods } as RunOptions, undefined, problems)
    expect(problems.map(({ what }) => what)).toMatchSnapshot()
  })
})

describe('mechanisms of a strategy file', () => {
  const withMechanisms = (mechanisms: string) =>
    written({
      's.ts': `${head}export default ${body('mine').replace("summary: 'One ask.'", `$&, mechanisms: ${mechanisms}`)}`,
    })
  const selected = async (methods: string) => {
    const problems: Problem[] = []
    const { methods: found, strategies } = await selectMethods({ methods } as RunOptions, undefined, problems)
    const sources = { config: undefined, usesFile: false, typed: {}, entryOf: () => undefined, name: String }
    const resolved = agentsOfMethods(found, { ...sources, strategies }, problems).methods
    return { methods: resolved, problems: problems.map(({ what }) => what) }
  }
  const rule = `({ times }) => times === 1 ? [] : [{ name: 'again', before: ['worker'], acts: 'asked-again' }]`

  it('are in run.json by the options of each method, and in no id', async () => {
    const path = withMechanisms(rule)
    const { methods, problems } = await selected(`A=${path},B=${path}[times=2]`)
    expect(problems).toEqual([])
    const again = { name: 'again', before: ['worker'], acts: 'asked-again' }
    expect(methods.map(({ mechanisms }) => mechanisms)).toEqual([[], [again]])
    expect(mechanismsOf(methods)).toEqual({ A: [], B: [again] })
    const idsOf = (of: typeof methods) => {
      const tasks = [{ ref: 't', digest: 'd', limits: {} }]
      const plan = { tasks, methods: of, agents: { '*': 'a' }, profile: null, limits: {}, seed: 1, epochs: 1 }
      return [...makePlan(plan)].map(({ id }) => id)
    }
    expect(idsOf(methods)).toEqual(idsOf(methods.map(({ mechanisms: _, ...method }) => method)))
  })

  it('are checked with the rest, each with its field', async () => {
    const wrong = `[{ name: 'votes', before: [] }, { name: 'mine', before: 'worker' }, { name: 'own', before: [], acts: 'often' }]`
    expect(await facts({ 's.ts': readFileSync(withMechanisms(wrong), 'utf8') })).toMatchSnapshot()
    const late = `({ times }) => times === 1 ? [] : times === 2 ? [{ name: 'mine', before: [] }] : Promise.resolve([])`
    const twice = `[{ name: 'votes', before: [] }, { name: 'votes', before: ['worker'] }]`
    expect(await facts({ 's.ts': readFileSync(withMechanisms(twice), 'utf8') })).toEqual([
      'mechanisms: must have each name once',
    ])
    const path = withMechanisms(late)
    expect((await selected(`A=${path},B=${path}[times=2],C=${path}[times=3]`)).problems).toMatchSnapshot()
  })
})

describe('a broken strategy file', () => {
  it('is refused with a remedy when it is missing, a folder, or of another kind', async () => {
    expect(await problemsOf('./none.ts')).toMatchObject([
      {
        where: '--methods ./none.ts',
        what: 'there is no such file',
        fix: expect.stringContaining('none.ts'),
      },
    ])
    expect(await facts({ 'notes.txt': '' })).toEqual(['is not a module'])
    expect((await problemsOf(tempFolder()))[0]?.what).toBe('is not a module')
  })

  it('is refused with the place of a syntax error, or of an error that is thrown on import', async () => {
    expect((await facts({ 's.ts': 'export const a = 1\nexport default {{\n' }))[0]).toMatch(
      /cannot be loaded: .*s\.ts:2:/,
    )
    expect((await facts({ 's.ts': "const a: number = 1\nthrow new Error('no ' + a)\n" }))[0]).toMatch(
      /cannot be loaded: no 1 \(.*s\.ts:2/,
    )
    expect((await facts({ 's.ts': "import { a } from './gone.ts'\nexport default a\n" }))[0]).toMatch(
      /cannot be loaded: .*gone\.ts/,
    )
  })

  it('is refused with the name of an import that does not exist, where it is first used', async () => {
    const used = (name: string) =>
      facts({ 's.ts': `import { ${name} } from 'orchestration-bench'\nexport default ${name}({})\n` })
    const words = (name: string) =>
      expect.stringMatching(
        new RegExp(
          `^cannot be loaded: a strategy cannot import "${name}" from 'orchestration-bench'.*s\\.ts:2`,
        ),
      )
    expect(await used('defineMethod')).toEqual([words('defineMethod')])
    expect(await used('run')).toEqual([words('run')])
  })

  it('is refused when it exports no strategy, or several but no default', async () => {
    expect(await facts({ 's.ts': 'export const a = 1' })).toEqual(['exports no strategy'])
    const two = `${head}export const a = ${body('a')}\nexport const b = ${body('b')}`
    expect(await facts({ 's.ts': two })).toEqual(['exports several strategies (a, b), but none by default'])
  })

  it('is refused with every problem of its strategy together', async () => {
    const text = `${head}export default { name: 'My One', roles: { a: 'think' }, options: {}, run: 1 }`
    expect(await facts({ 's.ts': text })).toEqual([
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^summary: /),
      expect.stringMatching(/^roles\.a: must be one of produce/),
      expect.stringMatching(/^options: must be a zod object/),
      'run: must be a function',
    ])
    expect(await facts({ 's.ts': 'export default 42' })).toEqual(['is not a strategy'])
    const without = `${head}export default ${body('mine').replace('.default(1)', '')}`
    expect((await facts({ 's.ts': without }))[0]).toMatch(/^options\.times: needs a default/)
  })

  it('is refused when it has a field that no strategy has, or names an option that it does not have', async () => {
    const withField = (field: string) =>
      facts({
        's.ts': `${head}export default ${body('mine').replace("summary: 'One ask.'", `$&, ${field}`)}`,
      })
    expect(await withField(`declaraton: 'worker', rols: {}`)).toMatchSnapshot()
    expect(await withField(`attempts: 'tries'`)).toMatchSnapshot()
    expect(await withField(`attempts: 'times'`)).toEqual([])
  })

  it('is refused with every problem of its declaration', async () => {
    const declared = (declaration: string) =>
      facts({
        's.ts': `${head}export default ${body('mine').replace("summary: 'One ask.'", `$&, declaration: ${declaration}`)}`,
      })
    const wrong = `{ flow: { repeat: ['worker'] }, stop: 1 }`
    const missing = [
      'declaration.flow: must have either `most` or `times`',
      'declaration.stop: must be a text that says when the method ends',
      "declaration.context: must be a text that says what an agent reads of other agents' replies",
    ]
    expect(await declared(wrong)).toEqual(missing)
    expect(await declared(`() => (${wrong})`)).toEqual(missing)
    expect(await declared(`{ flow: [['worker', { repeet: 'worker' }]], stop: 'x', context: 'y' }`)).toEqual([
      expect.stringMatching(
        /^declaration\.flow\.0\.1: is not a flow; write a role, a list, or one of .*; got { repeet }$/,
      ),
    ])
    expect(await declared(`() => { throw new Error('boo') }`)).toMatchSnapshot()
    expect(await declared(`async () => (${wrong})`)).toMatchSnapshot()
    const flowed = (flow: string) => declared(`{ flow: ${flow}, stop: 'x', context: 'y' }`)
    const lacks = ['declaration.flow: must have either `most` or `times`, or a list alone']
    expect(await flowed(`{ beside: ['worker', ['worker']] }`)).toEqual([])
    expect(await flowed(`{ beside: ['worker', 'worker'], times: 'times' }`)).toEqual([])
    expect(await flowed(`{ beside: 'worker' }`)).toEqual(lacks)
    expect(await flowed(`{ beside: { either: ['worker'] } }`)).toEqual(lacks)
    expect(await flowed(`{ beside: ['worker'], most: 1, times: 1 }`)).toEqual(lacks)
    expect(await flowed(`{ beside: [] }`)).toEqual(['declaration.flow.beside: must have at least one part'])
    expect(await flowed(`{ either: 'worker' }`)).toEqual(['declaration.flow.either: must be a list of parts'])
    expect(await flowed(`['worker', { maybe: 5 }]`)).toEqual([
      expect.stringMatching(/^declaration\.flow\.1\.maybe: is not a flow.*got a number$/),
    ])
    expect(await flowed(`{ repeat: 'worker', most: 0 }`)).toMatchSnapshot()
    expect(await flowed(`{ repeat: 'worker', either: ['worker'], most: 2 }`)).toEqual([
      expect.stringMatching(/^declaration\.flow: is not a flow.*got { repeat, either, most }$/),
    ])
    expect(await flowed(`{ beside: ['worker', 'critic'] }`)).toMatchSnapshot()
    expect(await declared(`{ flow: { repeat: 'worker', most: 'times' }, stop: 'x', context: 'y' }`)).toEqual(
      [],
    )
  })
})

import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { proveTasks } from '../../src/loop/proof/prove-tasks.ts'
import { math } from '../../src/suites/math.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const write = suiteFiles()
const lines = (...all: unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')

// Written for this test, in the form of MATH-500.
const published = {
  problem: 'Solve $2x = 3.$',
  solution: 'Half of 3 is $\\boxed{\\frac{3}{2}}.$',
  answer: '\\frac{3}{2}',
  subject: 'Intermediate Algebra',
  level: 5,
  unique_id: 'test/intermediate_algebra/12.json',
}
const selected = { id: 1049, problem: 'Find the angle in degrees.', target: '30^\\circ' }

it('math reads problems as published, with subject as cluster and level as difficulty', async () => {
  const { tasks, problems } = await readSuite(math, write('test.jsonl', lines(published)))
  expect(problems).toEqual([])
  expect(tasks[0]).toMatchObject({
    ref: 'math/test-intermediate_algebra-12',
    instruction: 'Solve $2x = 3.$',
    spec: {
      graders: [{ kind: 'math', answer: '\\frac{3}{2}' }],
      tags: ['intermediate-algebra', 'level-5'],
      cluster: 'intermediate-algebra',
      properties: { difficulty: 1 },
      licence: 'MIT',
    },
    hidden: { solution: { answer: '\\frac{3}{2}' } },
  })
  expect(JSON.stringify([tasks[0]?.instruction, tasks[0]?.spec.title])).not.toContain('frac')
})

it('math reads a gzipped selection, whose problems have a number and a target', async () => {
  const { tasks, problems } = await readSuite(math, write('some.jsonl.gz', gzipSync(lines(selected))))
  expect(problems).toEqual([])
  expect(tasks).toMatchObject([{ ref: 'math/1049', spec: { graders: [{ answer: '30^\\circ' }] } }])
  expect(tasks[0]?.spec.cluster).toBeUndefined()
})

it('math reads a JSON list', async () => {
  expect(
    (await readSuite(math, write('all.json', JSON.stringify([published, selected])))).tasks,
  ).toHaveLength(2)
})

it('math reports what is missing or repeated, by line and field', async () => {
  const { answer: _, ...open } = published
  const { id: __, ...nameless } = selected
  const { problems } = await readSuite(
    math,
    write('bad.jsonl', lines(published, open, nameless, published, { ...selected, level: 7 }, { id: 2 })),
  )
  expect(problems.map(({ where, what }) => `${where.split('/').at(-1)}: ${what}`)).toMatchSnapshot()
})

it('the proof of a problem accepts its answer and refuses wrong ones', async () => {
  const { tasks } = await readSuite(math, write('proof.jsonl', lines(published, selected)))
  const proofs = await proveTasks(tasks, {
    run: () => Promise.reject(new Error('no program is needed')),
    signal: new AbortController().signal,
    ...{ concurrency: 1, twice: true, generate: 6, seed: 1 },
  })
  expect(proofs.map(({ state, generated }) => [state, generated?.survivors])).toEqual([
    ['proved', []],
    ['proved', []],
  ])
})

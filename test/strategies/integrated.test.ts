import { describe, expect, it } from 'vitest'
import { type Line, play } from '../../src/testing.ts'
import { integrated } from '../../strategies/integrated.ts'

type Role = keyof typeof integrated.roles
const next = (role: string, brief = `Your turn, ${role}.`): Line<Role> => [
  'orchestrator',
  { next: role, brief },
]
const audit = (compliance: number, text: string) => ({ compliance, violations: [{ id: 'R1', text }] })

const success: Line<Role>[] = [
  next('contract-writer'),
  ['contract-writer', 'R1: add() takes two numbers'],
  next('auditor'),
  ['auditor', audit(0, 'nothing is there')],
  next('code-generator', 'Write it now.'),
  ['code-generator', 'draft 1', { 'a.mjs': 'one' }],
  next('evaluator'),
  ['evaluator', { satisfied: false, feedback: 'negatives fail' }],
  next('refiner'),
  ['refiner', 'R1: add() takes any two numbers'],
  next('code-generator', 'Again.'),
  ['code-generator', 'draft 2', { 'a.mjs': 'two' }],
  next('evaluator'),
  ['evaluator', { satisfied: true, feedback: 'good' }],
  next('finish', 'All is done.'),
]
const scene = { files: { 'a.mjs': '' }, checks: ['failed', 'passed'], instruction: 'Write add().' } as const

describe('the orchestrator', () => {
  it('decides who acts next until it finishes', async () => {
    const { result, files } = await play(integrated, {}, success, scene)
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 2', detail: 'All is done.' })
    expect(files).toEqual({ 'a.mjs': 'two' })
    expect(result.state).toMatchObject({
      decisions: [
        'contract-writer',
        'auditor',
        'code-generator',
        'evaluator',
        'refiner',
        'code-generator',
        'evaluator',
        'finish',
      ],
      compliance: [0],
      evaluations: 2,
      satisfied: true,
      feedback: 'good',
    })
  })

  it('sees every earlier output in full at each decision', async () => {
    const huge = `R1: ${'all of it, word for word. '.repeat(4000)}`
    const script = success.with(1, ['contract-writer', huge])
    const { asks } = await play(integrated, {}, script, scene)
    const seen = asks
      .filter(({ role }) => role === 'orchestrator')
      .map(({ show }) => Object.values(show).join('\n'))
    const outputs = [
      huge,
      'nothing is there',
      'draft 1',
      'negatives fail',
      'any two numbers',
      'draft 2',
      'good',
    ]
    seen.forEach((context, n) => {
      expect(context).toContain('Write add().')
      for (const output of outputs.slice(0, n)) expect(context).toContain(output)
    })
    expect(seen).toHaveLength(8)
    expect(seen[3]).toContain('Write it now.')
    expect(seen[4]).toContain('test two failed')
  })

  it('keeps one conversation with the option, and reads every output in full once', async () => {
    const { result, asks } = await play(integrated, { session: true }, success, scene)
    const own = asks.filter(({ role }) => role === 'orchestrator')
    for (const { options, show } of own) {
      expect(options.session).toBe('orchestrator')
      expect(options.system).toContain('Write add().')
      expect(Object.keys(show)).toEqual(['what was said since'])
    }
    const read = own.map(({ show }) => show['what was said since'])
    expect(read[0]).toBe('')
    expect(read[1]).toContain('R1: add() takes two numbers')
    expect(read.join('\n').match(/draft 1|negatives fail|draft 2|any two numbers/g)).toEqual([
      'draft 1',
      'negatives fail',
      'any two numbers',
      'draft 2',
    ])
    const plain = await play(integrated, {}, success, scene)
    expect(result).toEqual(plain.result)
  })

  it('has its context measured at each decision', async () => {
    const { result } = await play(integrated, {}, success, scene)
    const { contextTokens, peakContextTokens } = result.state as {
      contextTokens: number[]
      peakContextTokens: number
    }
    expect(contextTokens).toHaveLength(8)
    contextTokens.slice(1).forEach((tokens, i) => {
      expect(tokens).toBeGreaterThan(contextTokens[i] ?? Number.POSITIVE_INFINITY)
    })
    expect(peakContextTokens).toBe(contextTokens.at(-1))
    expect(result.state?.tokenizer).toBe('estimate: 4 characters a token')
  })

  it('names the roles in their usual order, with finish last', () => {
    expect(Object.keys(integrated.roles).slice(1)).toMatchSnapshot()
  })
})

describe('the workers', () => {
  it('see its brief and the full results of the others', async () => {
    const { asks } = await play(integrated, {}, success, scene)
    const generators = asks.filter(({ role }) => role === 'code-generator').map(({ show }) => show)
    expect(generators[0]).toMatchObject({
      brief: 'Write it now.',
      contract: 'R1: add() takes two numbers',
      violations: '- R1: nothing is there',
    })
    expect(generators[1]).toMatchObject({
      brief: 'Again.',
      feedback: 'negatives fail',
      'last reply': 'draft 1',
    })
    expect(generators[1]?.contract).toBe('R1: add() takes any two numbers')
  })

  it('evaluate with the results of the visible checks', async () => {
    const { asks } = await play(integrated, {}, success, scene)
    const evaluators = asks.filter(({ role }) => role === 'evaluator').map(({ show }) => show)
    expect(evaluators[0]?.checks).toContain('failed: 1 of 2')
    expect(evaluators[0]?.work).toContain('+one')
    expect(evaluators[1]?.checks).toContain('passed: 2 of 2')
  })

  it('answer tasks that want an answer', async () => {
    const { answer, asks } = await play(integrated, {}, [
      next('code-generator'),
      ['code-generator', 'Answer: 42'],
      next('auditor'),
      ['auditor', audit(1, '')],
      next('finish'),
    ])
    expect(answer).toBe('Answer: 42')
    expect(asks.find(({ role }) => role === 'auditor')?.show['last reply']).toBe('Answer: 42')
  })
})

describe('the end of integrated', () => {
  it('is halted when the last verdict was bad, or when there is no work', async () => {
    const { result } = await play(integrated, {}, [
      next('code-generator'),
      ['code-generator', 'draft'],
      next('evaluator'),
      ['evaluator', { satisfied: false, feedback: 'no' }],
      next('finish', 'No more can be gained.'),
    ])
    expect(result).toMatchObject({ stopReason: 'halted', detail: 'No more can be gained.' })
    expect((await play(integrated, {}, [next('finish')])).result.stopReason).toBe('halted')
  })

  it('is done when the orchestrator finishes after work that was not evaluated', async () => {
    const { result } = await play(integrated, {}, [
      next('code-generator'),
      ['code-generator', 'draft 1'],
      next('evaluator'),
      ['evaluator', { satisfied: false, feedback: 'no' }],
      next('code-generator'),
      ['code-generator', 'draft 2'],
      next('finish'),
    ])
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 2' })
    expect(result.state).toMatchObject({ satisfied: false })
  })

  it('comes after the most decisions', async () => {
    const { result } = await play(integrated, { maxDecisions: 2 }, [
      next('code-generator'),
      ['code-generator', 'draft 1'],
      next('code-generator'),
      ['code-generator', 'draft 2'],
    ])
    expect(result).toMatchObject({ stopReason: 'exhausted', detail: '2 decisions', answer: 'draft 2' })
  })

  it('comes after the most evaluations', async () => {
    const evaluation: Line<Role>[] = [next('evaluator'), ['evaluator', { satisfied: false, feedback: 'no' }]]
    const work: Line<Role>[] = [next('code-generator'), ['code-generator', 'draft']]
    const { result } = await play(integrated, { maxEvaluations: 2 }, [...work, ...evaluation, ...evaluation])
    expect(result).toMatchObject({
      stopReason: 'exhausted',
      detail: 'the evaluator was not satisfied in 2 evaluations',
    })
  })
})

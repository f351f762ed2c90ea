import { describe, expect, it } from 'vitest'
import { UserError } from '../../../src/text/errors.ts'
import { documentOf, problemsOf } from '../../helpers/graph/documents.ts'

const problems = (text: string) => problemsOf(text, {}, 'g.yaml')
const pattern = `- id: parts
  pattern: fork_join
  branches: { code: [{ id: write, task: make }], docs: [{ id: write, task: make }] }
  join: make`
const concurrent = (steps: string, more = '') => documentOf(steps, `kind: concurrent${more}`)

describe('a remedy for needs that name a step inside a pattern', () => {
  it.each(['p::parts::join', 'p::parts::code::write', 'p::parts.code.deep::x'])(
    'names the pattern: %s',
    (id) => {
      expect(problems(concurrent(`${pattern}\n- { id: last, task: make, needs: ["${id}"] }`))).toEqual([
        expect.stringContaining(`needs.0] "${id}" is inside the pattern "parts". Write parts.`),
      ])
      expect(problems(concurrent(pattern, `\n    answer: "${id}"`))).toEqual([
        expect.stringContaining(`answer] "${id}" is inside the pattern "parts". Write parts.`),
      ])
    },
  )

  it('names the known steps if there is no such pattern', () => {
    expect(problems(concurrent(`${pattern}\n- { id: last, task: make, needs: ["p::other::join"] }`))).toEqual(
      [expect.stringContaining('needs.0] there is no step "p::other::join". Use one of parts.')],
    )
  })

  it('never makes the pattern need itself', () => {
    const itself = pattern.replace('pattern:', 'needs: ["p::parts::join"]\n  pattern:')
    expect(problems(concurrent(itself))).toEqual([
      expect.stringContaining('needs.0] "p::parts::join" is inside the pattern "parts". Remove it.'),
    ])
  })
})

describe('a remedy for a part of a wrong form', () => {
  it('says how to write a step where a list holds the id of a task', () => {
    const found = problems(documentOf('- make\n- { id: l, pattern: linear, steps: [make] }'))
    expect(found).toEqual([
      expect.stringContaining('steps.0] must be a step, got "make". Write `{ id: …, task: … }`.'),
      expect.stringContaining('steps.1.steps.0] must be a step, got "make". Write `{ id: …, task: … }`.'),
    ])
  })

  it('adds as many parts as the pattern requires', () => {
    const none = (fields: string) =>
      problems(documentOf(`- { id: x, ${fields} }\n- { id: y, task: make }`)).join('\n')
    expect(none('pattern: debate, debaters: {}, judge: make')).toContain(
      'no debater, so nobody disagrees. Add two.',
    )
    expect(none('pattern: referee, candidates: {}, referee: judge')).toContain('Add two.')
    expect(none('pattern: fork_join, branches: {}, join: make')).toContain('nothing to join. Add one.')
  })

  it('counts the characters of a name that is too long', () => {
    expect(problems(documentOf(`- { id: ${'x'.repeat(101)}, task: make }`))).toEqual([
      expect.stringContaining('steps.0.id] must have at most 100 characters.'),
    ])
  })

  it('removes the quotes of a number, and only of a number', () => {
    const retries = (value: string) =>
      problems(documentOf(`- { id: a, task: make, retries: ${value} }`)).join('\n')
    expect(retries('"2"')).toContain('must be a number, got "2". Write it without quotes: 2.')
    expect(retries('two')).toMatch(/must be a number, got "two"\.$/)
  })
})

describe('an input file that cannot be read', () => {
  it('is reported in its place, beside the other mistakes', () => {
    const read = () => {
      throw new UserError({ where: 'notes', what: 'is a folder, not a file', fix: 'Give a file.' })
    }
    const text = [
      'version: "0.5"',
      'agents: { a: {} }',
      'tasks: { t: { agent_ref: b, prompt: x } }',
      'run: { workflow: { steps: [{ id: s, task: t }] }, input: { file: notes } }',
    ].join('\n')
    expect(problemsOf(text, { read }, 'g.yaml')).toEqual([
      '[g.yaml:3:15 tasks.t.agent_ref] there is no agent "b". Did you mean a?',
      '[g.yaml:4:60 run.input.file] the file "notes" is a folder, not a file. Give a file.',
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { findCycles } from '../../../src/workflows/document/names.ts'
import { inOrder, readWorkflow, wavesOf } from '../../../src/workflows/waves/workflow-file.ts'

const agents = `agents:
  planner:
    work: decide
    instructions: Plan.
    input_format: plain
    output_format: json
    provides: [plan]
  maker:
    work: produce
    instructions: Make.
    input_format: json
    output_format: xml
    needs: [plan, user_request]
    optional_needs: [budget]
    provides: [thing]
  critic:
    work: judge
    instructions: Judge.
    input_format: xml
    output_format: markdown
    needs: [making]
    provides: [verdict]
`
const stages = `stages:
  - stage: planning
    agent: planner
    depends_on: [user_request]
  - stage: making
    agent: maker
    depends_on: [planning]
  - stage: judging
    agent: critic
    depends_on: [making]
    can_iterate: true
    max_iterations: 2
`
const whole = `name: small\ndescription: A small one.\n${agents}${stages}`

function problemsIn(text: string): string[] {
  const problems: Problem[] = []
  readWorkflow(text, 'mine.yaml', problems)
  return problems.map(formatProblem)
}

describe('a workflow file', () => {
  it('is read with its stages in a possible order, and with the stage that each may ask for changes', () => {
    const problems: Problem[] = []
    const [plan = '', make = '', judge = ''] = stages.split(/(?=^ {2}- )/m).slice(1)
    const shuffled = `name: small\ndescription: A small one.\n${agents}stages:\n${judge}${make}${plan}`
    expect(readWorkflow(shuffled, 'mine.yaml', problems)?.stages).toEqual([
      { stage: 'planning', agent: 'planner', after: [] },
      { stage: 'making', agent: 'maker', after: ['planning'] },
      { stage: 'judging', agent: 'critic', after: ['making'], iterates: { toward: 'making', most: 2 } },
    ])
    expect(problems).toEqual([])
  })

  it('is refused with every problem together, fields of a wrong type included', () => {
    const found = problemsIn(
      whole
        .replace('input_format: plain', 'input_format: plane')
        .replace('    needs: [making]', '    colour: red\n    needs: [making, blueprint]')
        .replace('agent: maker', 'agent: makr')
        .replace('depends_on: [user_request]', 'depends_on: [judging]')
        .replace('can_iterate: true', 'can_iterate: polishing'),
    )
    expect(found).toEqual([
      '[mine.yaml:7 agents.planner.input_format] "plane" is not allowed. Did you mean plain?',
      expect.stringContaining('[mine.yaml:23 agents.critic.colour] is not a known field'),
      '[mine.yaml:31 stages.1.agent] there is no agent "makr". Did you mean maker?',
      expect.stringContaining('stage "judging" needs blueprint, which no earlier stage provides'),
      '[mine.yaml:36 stages.2.can_iterate] there is no stage "polishing". Write one of making, planning.',
      expect.stringContaining('stages wait for each other: planning -> judging -> making -> planning'),
      '[mine.yaml:26 stages] no stage has an agent with work: produce, so nothing would be handed in. Set work: produce for one of the agents.',
    ])
  })

  it('is refused without problems that only follow from a field of a wrong type', () => {
    expect(problemsIn(whole.replace('provides: [plan]', 'provides: plan'))).toHaveLength(1)
    expect(problemsIn(whole.replace('depends_on: [making]', 'depends_on: making'))).toHaveLength(1)
    expect(problemsIn(whole.replace('work: produce', 'work: build'))).toHaveLength(1)
    expect(problemsIn(whole.replace('  - stage: making\n', '  - stage: 7\n'))).toHaveLength(1)
    expect(problemsIn(whole.replace(/stages:[\s\S]*/, 'stages: none\n'))).toHaveLength(1)
  })

  it('is refused for a circle through the first of two stages with the same name', () => {
    const twice = `${whole.replace('depends_on: [user_request]', 'depends_on: [judging]')}  - stage: planning\n    agent: planner\n`
    expect(problemsIn(twice).join('\n')).toContain('stages wait for each other')
  })

  it('has another digest when anything in it changes', () => {
    const digest = (text: string) => readWorkflow(text, 'mine.yaml', [])?.digest
    expect(digest(whole)).toMatch(/^[0-9a-f]{64}$/)
    expect(digest(whole.replace('Plan.', 'Plan well.'))).not.toBe(digest(whole))
  })

  const wrong: [string, string, string, string][] = [
    [
      'an unknown agent',
      'agent: maker',
      'agent: makr',
      '[mine.yaml:30 stages.1.agent] there is no agent "makr". Did you mean maker?',
    ],
    [
      'an unknown stage',
      '[planning]',
      '[planing]',
      '[mine.yaml:31 stages.1.depends_on.0] there is no stage "planing". Did you mean planning?',
    ],
    [
      'a duplicate stage',
      'stage: judging',
      'stage: making',
      '[mine.yaml:32 stages.2.stage] there are two stages "making". Rename one of them.',
    ],
    [
      'a need that nobody provides',
      'needs: [plan, user',
      'needs: [money, user',
      '[mine.yaml:15 agents.maker.needs.0] stage "making" needs money, which no earlier stage provides. Move it to optional_needs, or let an earlier stage provide it.',
    ],
    [
      'a need of a stage that it does not depend on',
      '[planning]',
      '[user_request]',
      '[mine.yaml:31 stages.1.depends_on] stage "making" needs plan of stage "planning" but does not depend on it. Add planning to depends_on.',
    ],
    [
      'a cycle',
      'depends_on: [user_request]',
      'depends_on: [judging]',
      '[mine.yaml:28 stages.0.depends_on] stages wait for each other: planning -> judging -> making -> planning. Remove one of them from a depends_on.',
    ],
    [
      'a stage that depends on itself',
      '[planning]',
      '[planning, making]',
      '[mine.yaml:31 stages.1.depends_on.1] the stage depends on itself. Leave it out.',
    ],
    [
      'iterations with a later stage',
      '    depends_on: [planning]\n',
      '    depends_on: [planning]\n    can_iterate: judging\n',
      '[mine.yaml:32 stages.1.can_iterate] the stage does not depend on "judging". Write one of planning.',
    ],
    [
      'iterations with an unknown stage',
      '    depends_on: [user_request]\n',
      '    depends_on: [user_request]\n    can_iterate: true\n',
      '[mine.yaml:29 stages.0.can_iterate] the stage depends on no other stage. Leave it out, or add a stage to depends_on.',
    ],
    [
      'a maximum of iterations without iterations',
      'can_iterate: true',
      'can_iterate: false',
      '[mine.yaml:36 stages.2.max_iterations] max_iterations is set, but can_iterate is not. Set can_iterate, or leave it out.',
    ],
    [
      'change requests in plain text',
      'output_format: markdown',
      'output_format: plain',
      '[mine.yaml:35 stages.2.can_iterate] a hand-off in plain text cannot request changes. Give its agent another output_format.',
    ],
    [
      'an unknown format',
      'output_format: xml',
      'output_format: xlm',
      '[mine.yaml:14 agents.maker.output_format] "xlm" is not allowed. Did you mean xml?',
    ],
    [
      'no agent that produces',
      'work: produce',
      'work: decide',
      '[mine.yaml:25 stages] no stage has an agent with work: produce, so nothing would be handed in. Set work: produce for one of the agents.',
    ],
    [
      'an unknown field',
      'provides: [plan]',
      'provides: [plan]\n    model: big',
      '[mine.yaml:10 agents.planner.model] is not a known field.',
    ],
  ]
  for (const [what, from, to, expected] of wrong)
    it(`is refused with line and remedy for ${what}`, () => {
      const problems = problemsIn(whole.replace(from, to))
      expect(
        problems.some((problem) => problem.startsWith(expected)),
        problems.join('\n'),
      ).toBe(true)
    })

  it('is refused with all its problems together', () => {
    const text = whole
      .replace('agent: maker', 'agent: makr')
      .replace('can_iterate: true', 'can_iterate: nobody')
    expect(problemsIn(text).map((problem) => problem.split(']')[0])).toMatchSnapshot()
  })
})

describe('the order of stages', () => {
  const graph = fc.array(fc.array(fc.nat(8), { maxLength: 3 }), { minLength: 1, maxLength: 8 }).map((edges) =>
    edges.map((after, i) => ({
      stage: `s${i}`,
      after: after.filter((one) => one < edges.length).map((one) => `s${one}`),
    })),
  )

  it('runs each stage once, after all that it depends on, or names stages that wait for each other', () => {
    fc.assert(
      fc.property(graph, (stages) => {
        const dependsOn = (name: string) => stages.find(({ stage }) => stage === name)?.after ?? []
        const [circle] = findCycles(
          stages.map(({ stage }) => stage),
          dependsOn,
        )
        if (circle) {
          expect(circle[0]).toBe(circle.at(-1))
          for (const [i, name] of circle.slice(1).entries())
            expect(dependsOn(circle[i] ?? '')).toContain(name)
          expect(() => wavesOf(stages)).toThrow(/wait for each other/)
          return
        }
        const done: string[] = []
        for (const wave of wavesOf(stages)) {
          for (const { after } of wave) expect(after.filter((one) => !done.includes(one))).toEqual([])
          done.push(...wave.map(({ stage }) => stage))
        }
        expect(done.toSorted()).toEqual(stages.map(({ stage }) => stage).toSorted())
        expect(inOrder(stages).map(({ stage }) => stage)).toEqual(done)
      }),
    )
  })
})

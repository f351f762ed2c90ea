import { describe, expect, it } from 'vitest'
import type { BracketedMethod } from '../../../src/analysis/bracket.ts'
import type { MethodCascade } from '../../../src/analysis/cascades.ts'
import type { MethodRoutes } from '../../../src/analysis/routes.ts'
import { sectionParts } from '../../../src/reports/html/sections-html.ts'
import { bracketSection } from '../../../src/reports/mixes/bracket.ts'
import { cascadesSection } from '../../../src/reports/mixes/cascades.ts'
import { deciderWarnings, routesSection } from '../../../src/reports/mixes/routes.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { Section } from '../../../src/reports/tables/table.ts'
import { relatedTexts } from '../../../src/reports/words/agents-text.ts'
import { aRecord } from '../../analysis/records.ts'
import { summarize } from '../../helpers/runs/summaries.ts'

const step = (role: string, agent: string, costUsd: number | null) => ({
  ...{ role, agent, asked: 10, failed: 1, ended: 5, right: { count: 6, of: 9 }, costUsd },
})
const cascade: MethodCascade = {
  ...{ method: 'cascade', agents: 'x', set: null, until: 'agreement', trials: 10 },
  ...{ escalated: { count: 5, of: 10 }, forNothing: { count: 2, of: 5 }, keptWrong: { count: 1, of: 5 } },
  ...{ rescued: { count: 2, of: 3 }, lost: { count: 0, of: 2 } },
  steps: [step('step-1', 'small=openai:s', 0.25), step('step-2', 'large=openai:l', 0.75)],
}
const value = (success: number, costUsd: number | null) => ({ success, costUsd })
const bracketed: BracketedMethod = {
  ...{ method: 'cascade', by: 'prices', tasks: 20 },
  agents: [
    { agent: 'small=openai:s', row: 'alone-small' },
    { agent: 'large=openai:l', row: 'alone-large' },
  ],
  values: {
    ...{ method: value(0.8, 0.02), cheapest: value(0.6, 0.01), dearest: value(0.85, 0.05) },
    hindsight: value(0.9, 0.016),
  },
  between: { success: 0.8, costUsd: 0.25 },
  regret: { best: 'alone-large', estimate: 0.05, lower: -0.062, upper: 0.18, gained: 2, lost: 3 },
}
it('a router whose decider named no route in some trials is warned of', () => {
  const state = (fallback: boolean) => ({ router: { by: 'decider', route: 'route-2', why: '', fallback } })
  const records = [true, false, false].map((fallback, i) =>
    aRecord({ method: 'router', task: `s/${i}`, state: state(fallback) }),
  )
  expect(deciderWarnings(summarize(records))).toEqual([
    'router: the decider named no route in 1 of 3 trials, which the route for all others answered.',
  ])
  expect(deciderWarnings(summarize(records.slice(1)))).toEqual([])
})

const render = (format: FormatName, section: Section) =>
  formats[format].render(
    createReport(summarize([aRecord({ method: 'cascade' })]), { run: 'r', sections: [section] }),
    { width: 110 },
  )

describe.each(['text', 'markdown'] as const)('as %s', (format) => {
  it('a cascade says when it went on, and what each step gave and cost', () => {
    const text = render(format, cascadesSection([cascade], { simulated: false }))
    expect(text).toMatch(/cascade +(\| )?agreement +(\| )?10 +(\| )?5\/10 \(50\.0%\)/)
    expect(text).toMatch(
      /step-2 +(\| )?large +(\| )?10 +(\| )?1 +(\| )?5\/10 \(50\.0%\) +(\| )?6\/9 \(66\.7%\) +(\| )?\$0\.750 +(\| )?75\.0/,
    )
  })

  it('a router names who answered, and counts the trials that no route answered', () => {
    const route = (role: string, costUsd: number | null) => ({
      ...{
        role,
        agent: `openai:${role}`,
        served: [],
        trials: 4,
        fallbacks: 1,
        graded: 4,
        passed: 2,
        costUsd,
      },
    })
    const row: MethodRoutes = {
      ...{ method: 'router', agents: 'x', set: null, by: 'decider', trials: 10, deciderUsd: 0.05 },
      routes: [route('route-1', 0.25), route('route-2', null)],
      noRoute: { served: [], trials: 2, graded: 2, passed: 0, costUsd: 0.125 },
    }
    const text = render(format, routesSection([row], { simulated: false }))
    expect(text).toMatch(
      /route-1 +(\| )?openai:route-1 +(\| )?4\/10 \(40\.0%\) +(\| )?1 +(\| )?2\/4 \(50\.0%\) +(\| )?\$0\.250/,
    )
    expect(text).toMatch(
      /no route +(\| )?- +(\| )?2\/10 \(20\.0%\) +(\| )?0 +(\| )?0\/2 \(0\.0%\) +(\| )?\$0\.125/,
    )
  })

  it('a bracket has the method between its ends, and beside the agent of each task', () => {
    const text = render(format, bracketSection([bracketed], { simulated: false }))
    expect(text).toMatch(
      /cascade +(\| )?20 +(\| )?60\.0% +(\| )?80\.0% +(\| )?85\.0% +(\| )?90\.0% +(\| )?80\.0 +(\| )?-10\.0/,
    )
    expect(text).toMatch(
      /\$0\.0100 +(\| )?\$0\.0200 +(\| )?\$0\.0500 +(\| )?\$0\.0160 +(\| )?25\.0 +(\| )?1\.3x/,
    )
    expect(text).toMatch(/cascade +(\| )?alone-large +(\| )?\+5\.0 \[-6\.2, \+18\.0\] +(\| )?2 +(\| )?3/)
    expect(text.replace(/\s+/g, ' ')).toContain(
      'cascade: the cheapest agent is small (alone-small), the dearest large (alone-large), by the prices known before the run',
    )
  })
})

it('both are parts of the page, and fields of the JSON', () => {
  const sections = [
    bracketSection([bracketed], { simulated: false }),
    cascadesSection([cascade], { simulated: false }),
  ]
  expect(sectionParts(sections).map(([id, heading]) => [id, heading])).toEqual([
    ['bracket', 'Between the cheapest and the dearest agent'],
    ['cascades', 'Cascades'],
  ])
  const json = (section: Section) => JSON.parse(render('json', section))
  expect(json(bracketSection([bracketed], { simulated: false })).bracket).toEqual([bracketed])
  expect(json(cascadesSection([cascade], { simulated: false })).cascades).toEqual([cascade])
})

it('a bracket by the order of roles says why, and has no numbers where no task was graded for all rows', () => {
  const none = {
    ...bracketed,
    by: 'roles' as const,
    tasks: 0,
    values: null,
    between: { success: null, costUsd: null },
  }
  const text = render('text', bracketSection([none], { simulated: false })).replace(/\s+/g, ' ')
  expect(text).toContain('by the order of its roles, since not every price was known before the run')
  expect(text).toMatch(/cascade 0 - - - - - -/)
})

it('an unknown price is unknown, and one agent for all steps is told', () => {
  const alone = { ...cascade, steps: [step('step-1', 'm', null), step('step-2', 'm', 1)] }
  const text = render('text', cascadesSection([alone], { simulated: false })).replace(/\s+/g, ' ')
  expect(text).toContain('cascade: all steps ask m, at one price: this shows what asking again does.')
  expect(text).toMatch(/step-1 m 10 1 5\/10 \(50\.0%\) 6\/9 \(66\.7%\) unknown -/)
})

it('related agents are those of one family by the settings, or else by the names of their models', () => {
  const byRole = {
    'step-1': 'openai-compatible:qwen2.5-7b',
    'step-2': 'b=openai-compatible:other',
    '*': 'openai-compatible:llama-3-8b',
  }
  const roles = ['step-1', 'step-2', 'step-3']
  expect(relatedTexts(byRole, roles)).toEqual([])
  expect(relatedTexts(byRole, roles, { 'b=openai-compatible:other': { family: 'Qwen' } })).toEqual([
    'step-1 (openai-compatible:qwen2.5-7b) and step-2 (b)',
  ])
  const stated = {
    'openai-compatible:qwen2.5-7b': { family: 'mine' },
    'openai-compatible:llama-3-8b': { family: 'mine' },
  }
  expect(relatedTexts(byRole, roles, stated)).toHaveLength(1)
  expect(
    relatedTexts({ '*': 'recorded:qwen-7b@../r', 'step-2': 'recorded:qwen-72b@../r' }, roles),
  ).toHaveLength(1)
  expect(relatedTexts({ '*': 'simulated', 'step-2': 'simulated:dear' }, roles)).toEqual([])
})

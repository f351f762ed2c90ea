import { describe, expect, it } from 'vitest'
import type { Asked } from '../../../src/loop/trial/call-order.ts'
import { fidelityOf } from '../../../src/loop/trial/fidelity.ts'
import type { Flow } from '../../../src/schema/method/declaration.ts'

const machine: Flow = {
  machine: [
    { state: 'start', roles: [], next: ['draft'] },
    { state: 'draft', roles: ['ada', 'ben'], next: ['check'] },
    { state: 'check', roles: ['gate'], next: ['ask', 'draft', 'halt'] },
    { state: 'ask', roles: [], next: ['done', 'draft'] },
    { state: 'audit', roles: ['ada'], next: ['check'], maySkip: true },
    { state: 'done', roles: [], next: [] },
    { state: 'halt', roles: [], next: [] },
  ],
  decider: 'lead',
}

/** Asks, each as `state visit role` or, of the decider, `state visit role checkpoint`. */
const asked = (...lines: string[]): Asked[] =>
  lines.map((line, i) => {
    const [state = '', visit, role = '', checkpoint] = line.split(' ')
    const iteration = { state, visit: Number(visit), ...(checkpoint !== undefined && { checkpoint }) }
    return { branch: '', openedAt: [], step: { key: `#${i}`, role, iteration } }
  })

const at = (lines: string[], early = false, flow = machine) =>
  fidelityOf({ flow, stop: '', context: '' }, {}, asked(...lines), early).at

const drafts = (visit: number) => [`draft ${visit} ada`, `draft ${visit} ben`]

describe('the fidelity of a machine', () => {
  it('is kept by asks that follow a path to an end', () => {
    expect(at([...drafts(1), 'check 1 gate'])).toBeUndefined()
    expect(at([...drafts(1), 'check 1 gate', ...drafts(2), 'check 2 gate'])).toBeUndefined()
    expect(at([...drafts(1), 'draft 1 ben', 'check 1 gate'])).toBeUndefined()
  })

  it('is kept where the decider goes on from any state, or ends the machine', () => {
    expect(at([...drafts(1), 'check 1 gate', 'check 1 lead loop_warning', 'check 2 gate'])).toBeUndefined()
    expect(at([...drafts(1), 'draft 1 lead loop_warning'])).toBeUndefined()
    expect(at([...drafts(1), 'draft 1 lead loop_warning', 'audit 2 ada', 'check 1 gate'])).toBeUndefined()
  })

  it.each([
    [[...drafts(1), 'check 1 ada'], 'state "check", visit 1: asked ada, declared is gate'],
    [['draft 1 ada', 'check 1 gate'], 'state "draft", visit 1: did not ask ben'],
    [[...drafts(1), 'eve 1 ada'], 'state "eve", visit 1: asked ada, but is not declared'],
    [['check 1 gate'], 'state "check", visit 1: came after nothing, declared is start or draft'],
    [[...drafts(1), 'check 1 gate', 'check 2 gate'], 'state "check", visit 2: came after check'],
    [[...drafts(2), 'check 1 gate'], 'state "draft", visit 2: came after visit 0'],
    [[...drafts(1), 'check 1 gate', ...drafts(1)], 'state "draft", visit 1: came after visit 1'],
    [drafts(1), 'ended after draft, declared is check'],
    [[], 'ended after nothing, declared is start or draft'],
    [[...drafts(1), 'check 1 ben loop_warning'], 'ben was asked to decide, declared is lead'],
  ])('deviates with its place: %j', (lines, place) => {
    expect(at(lines)).toContain(place)
  })

  it('lets a trial that ended early stop anywhere', () => {
    expect(at(['draft 1 ada'], true)).toBeUndefined()
    expect(at([], true)).toBeUndefined()
    expect(at(['draft 1 ada', 'check 1 gate'], true)).toContain('did not ask ben')
  })

  it('counts for branches, and behind and beside other parts of a flow', () => {
    const step = (role: string, group: number, key: string): Asked => ({
      branch: `draft.${role}`,
      openedAt: [0, group],
      step: { key, role, iteration: { state: 'draft', visit: 1 } },
    })
    const one: Flow = { machine: [{ state: 'draft', roles: ['ada', 'ben'], next: [] }] }
    const said = (flow: Flow, asks: Asked[]) =>
      fidelityOf({ flow, stop: '', context: '' }, {}, asks, false).at
    const together = [step('ada', 0, 'draft.ada#0'), step('ben', 0, 'draft.ben#0')]
    expect(said(one, together)).toBeUndefined()
    expect(said(one, [step('ada', 0, 'draft.ada#0'), step('ben', 1, 'draft.ben#0')])).toBeUndefined()
    expect(said(one, together.slice(0, 1))).toBe('state "draft", visit 1: did not ask ben')
    const before: Asked = { branch: '', openedAt: [], step: { key: '#0', role: 'planner' } }
    const later = together.map((one) => ({ ...one, openedAt: [1, 0] }))
    expect(said(['planner', one], [before, ...later])).toBeUndefined()
    expect(said(['planner', one], [before, ...later.slice(0, 1)])).toContain('did not ask ben')
  })
})

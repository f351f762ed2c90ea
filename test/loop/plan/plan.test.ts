import { expect, it } from 'vitest'
import { makePlan, type PlanInput } from '../../../src/loop/plan/plan.ts'

const method = (label: string) => ({ label, strategy: label, options: {}, digest: 'd' })
const input: PlanInput = {
  tasks: ['a', 'b', 'c', 'd'].map((ref) => ({ ref, digest: `digest of ${ref}`, limits: {} })),
  methods: ['x', 'y', 'z'].map(method),
  agents: { '*': 'simulated' },
  profile: { name: 'default@1', digest: 'p' },
  limits: {},
  seed: 1,
  epochs: 3,
}

it('holds every cell in every epoch once, each trial with an id of its own', () => {
  const plan = [...makePlan(input)]
  expect(plan).toHaveLength(4 * 3 * 3)
  expect(new Set(plan.map(({ id }) => id)).size).toBe(36)
  expect(new Set(plan.map(({ cell, epoch }) => `${cell.task} ${cell.method.label} ${epoch}`)).size).toBe(36)
})

it('keeps all trials of a task together, and mixes the methods within it', () => {
  const plan = [...makePlan(input)]
  const tasks = plan.map(({ cell }) => cell.task)
  expect(tasks.filter((task, i) => task !== tasks[i - 1])).toHaveLength(4)
  const orders = new Set<string>()
  for (let i = 0; i < plan.length; i += 3)
    orders.add(
      plan
        .slice(i, i + 3)
        .map(({ cell }) => cell.method.label)
        .join(''),
    )
  expect(orders.size).toBeGreaterThan(2)
})

it('gives the same plan for the same seed, and another order for another', () => {
  const order = (seed: number) =>
    [...makePlan({ ...input, seed })].map(({ cell, epoch }) => `${cell.task}${cell.method.label}${epoch}`)
  expect(order(1)).toEqual(order(1))
  expect(order(1)).not.toEqual(order(2))
})

it('names a trial by what it is: anything that changes the trial changes the id, where it was loaded from does not', () => {
  const ids = (change: Partial<PlanInput>) =>
    new Set([...makePlan({ ...input, ...change })].map(({ id }) => id))
  const same = ids({})
  for (const change of [
    { tasks: input.tasks.map((task) => ({ ...task, digest: 'other' })) },
    { agents: { '*': 'oracle' } },
    { profile: { name: 'default@1', digest: 'q' } },
    { limits: { calls: 3 } },
    { seed: 2 },
    { methods: input.methods.map((one) => ({ ...one, digest: 'e' })) },
    { methods: input.methods.map((one) => ({ ...one, options: { n: 1 } })) },
  ])
    expect(
      [...ids(change)].some((id) => same.has(id)),
      JSON.stringify(change),
    ).toBe(false)
  expect(ids({ methods: input.methods.map((one) => ({ ...one, file: '/somewhere/x.mjs' })) })).toEqual(same)
  // More epochs keep the trials that there were.
  expect([...same].every((id) => ids({ epochs: 5 }).has(id))).toBe(true)
})

it('tells the epochs of a cell apart by an id that is short to write', () => {
  const one = { ...input, tasks: input.tasks.slice(0, 1), methods: input.methods.slice(0, 1), epochs: 2000 }
  const ids = [...makePlan(one)].map(({ id }) => id)
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBe(2000)
})

const sets = ['A', 'B'].map((label) => ({ label, agents: { '*': `model-${label}` } }))

it('gives every method every set of agents, each trial as it would be in a run of that set alone', () => {
  const plan = [...makePlan({ ...input, agentSets: sets })]
  expect(plan).toHaveLength(4 * 3 * 2 * 3)
  const ids = (set: string) => plan.filter(({ cell }) => cell.agentSet === set).map(({ id }) => id)
  for (const { label, agents } of sets) {
    const alone = [...makePlan({ ...input, agents })].map(({ id }) => id)
    expect(new Set(ids(label))).toEqual(new Set(alone))
  }
  expect(new Set(plan.map(({ id }) => id)).size).toBe(plan.length)
})

it('mixes the sets of agents within each epoch of a task, so that drift hits both alike', () => {
  const plan = [...makePlan({ ...input, agentSets: sets })]
  for (let i = 0; i < plan.length; i += 6) {
    const epoch = plan.slice(i, i + 6)
    expect(new Set(epoch.map(({ cell, epoch }) => `${cell.task} ${epoch}`)).size).toBe(1)
    expect(new Set(epoch.map(({ cell }) => `${cell.method.label} ${cell.agentSet}`)).size).toBe(6)
  }
  const firsts = plan.filter((_, i) => i % 6 === 0).map(({ cell }) => cell.agentSet)
  expect(new Set(firsts).size).toBe(2)
})

it('makes no other trial of a method because its roles are kept', () => {
  const ids = (roles?: string[]) =>
    [
      ...makePlan({ ...input, methods: input.methods.map((one) => ({ ...one, ...(roles && { roles }) })) }),
    ].map(({ id }) => id)
  expect(ids(['solver'])).toEqual(ids())
})

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

it('a plan holds every cell once per epoch, each trial with its own id', () => {
  const plan = [...makePlan(input)]
  expect(plan).toHaveLength(4 * 3 * 3)
  expect(new Set(plan.map(({ id }) => id)).size).toBe(36)
  expect(new Set(plan.map(({ cell, epoch }) => `${cell.task} ${cell.method.label} ${epoch}`)).size).toBe(36)
})

it('a plan keeps all trials of a task together, and mixes the methods within it', () => {
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

it('a plan is the same for the same seed, and has another order for another seed', () => {
  const order = (seed: number) =>
    [...makePlan({ ...input, seed })].map(({ cell, epoch }) => `${cell.task}${cell.method.label}${epoch}`)
  expect(order(1)).toEqual(order(1))
  expect(order(1)).not.toEqual(order(2))
})

it('a trial id depends on everything that affects the trial, but not on paths', () => {
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
  // With more epochs, the earlier trials keep their ids.
  expect([...same].every((id) => ids({ epochs: 5 }).has(id))).toBe(true)
})

it('trial ids of different epochs differ in their first six digits', () => {
  const one = { ...input, tasks: input.tasks.slice(0, 1), methods: input.methods.slice(0, 1), epochs: 2000 }
  const ids = [...makePlan(one)].map(({ id }) => id)
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBe(2000)
})

const sets = ['A', 'B'].map((label) => ({ label, agents: { '*': `model-${label}` } }))

it('a plan combines every method with every set of agents, and trial ids equal those of a run with that set only', () => {
  const plan = [...makePlan({ ...input, agentSets: sets })]
  expect(plan).toHaveLength(4 * 3 * 2 * 3)
  const ids = (set: string) => plan.filter(({ cell }) => cell.agentSet === set).map(({ id }) => id)
  for (const { label, agents } of sets) {
    const alone = [...makePlan({ ...input, agents })].map(({ id }) => id)
    expect(new Set(ids(label))).toEqual(new Set(alone))
  }
  expect(new Set(plan.map(({ id }) => id)).size).toBe(plan.length)
})

it('a plan mixes the sets of agents within each epoch of a task, so that drift affects all alike', () => {
  const plan = [...makePlan({ ...input, agentSets: sets })]
  for (let i = 0; i < plan.length; i += 6) {
    const epoch = plan.slice(i, i + 6)
    expect(new Set(epoch.map(({ cell, epoch }) => `${cell.task} ${epoch}`)).size).toBe(1)
    expect(new Set(epoch.map(({ cell }) => `${cell.method.label} ${cell.agentSet}`)).size).toBe(6)
  }
  const firsts = plan.filter((_, i) => i % 6 === 0).map(({ cell }) => cell.agentSet)
  expect(new Set(firsts).size).toBe(2)
})

it('the recorded roles of a method do not change trial ids', () => {
  const ids = (roles?: string[]) =>
    [
      ...makePlan({ ...input, methods: input.methods.map((one) => ({ ...one, ...(roles && { roles }) })) }),
    ].map(({ id }) => id)
  expect(ids(['solver'])).toEqual(ids())
})

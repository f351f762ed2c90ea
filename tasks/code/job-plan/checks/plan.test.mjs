import assert from 'node:assert/strict'
import test from 'node:test'
import { orderJobs } from '../src/order.ts'
import { makespan, planJobs } from '../src/plan.ts'

test('jobs follow what they need', () => {
  const jobs = [{ id: 'a', minutes: 1, needs: ['c'] }, { id: 'b', minutes: 1 }, { id: 'c', minutes: 1 }]
  assert.deepEqual(orderJobs(jobs), ['b', 'c', 'a'])
})

test('a circle is told', () => {
  const jobs = [{ id: 'a', minutes: 1, needs: ['b'] }, { id: 'b', minutes: 1, needs: ['a'] }]
  assert.throws(() => orderJobs(jobs), { name: 'DependencyError', kind: 'cycle', path: ['a', 'b', 'a'] })
})

test('workers share the jobs', () => {
  const jobs = [{ id: 'a', minutes: 3 }, { id: 'b', minutes: 2 }, { id: 'c', minutes: 2, needs: ['b'] }]
  const slots = planJobs(jobs, 2)
  assert.deepEqual(slots, [
    { id: 'b', worker: 1, start: 0, end: 2 },
    { id: 'a', worker: 2, start: 0, end: 3 },
    { id: 'c', worker: 1, start: 2, end: 4 },
  ])
  assert.equal(makespan(slots), 4)
})

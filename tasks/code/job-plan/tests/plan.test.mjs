import assert from 'node:assert/strict'
import test from 'node:test'
import { makespan, planJobs } from '../src/plan.ts'

/** `a3` takes 3 minutes, `b2!5` has priority 5, `c1<a,b` needs a and b. */
function jobs(text) {
  return text.split(' ').map((part) => {
    const [, id, minutes, priority, needs] = /^([a-z])(\d+)(?:!(-?\d+))?(?:<(.+))?$/.exec(part)
    return {
      id,
      minutes: Number(minutes),
      ...(priority && { priority: Number(priority) }),
      ...(needs && { needs: needs.split(',') }),
    }
  })
}
/** `a1:0-3` is job a on worker 1 from 0 to 3. */
const plan = (text, workers) =>
  planJobs(jobs(text), workers)
    .map(({ id, worker, start, end }) => `${id}${worker}:${start}-${end}`)
    .join(' ')

test('one worker does one job after the other', () => {
  assert.equal(plan('a2 b2 c2', 1), 'a1:0-2 b1:2-4 c1:4-6')
  assert.deepEqual(planJobs([], 3), [])
})

test('the longest tail goes first', () => {
  assert.equal(plan('a1 b2 c3', 1), 'c1:0-3 b1:3-5 a1:5-6')
  assert.equal(plan('a4 b1 c5<b', 1), 'b1:0-1 c1:1-6 a1:6-10')
  assert.equal(plan('a5 b1 c2<b d2<b', 1), 'a1:0-5 b1:5-6 c1:6-8 d1:8-10')
})

test('priority beats the tail, and only among ready jobs', () => {
  assert.equal(plan('a9 b1!1 c1!-1', 1), 'b1:0-1 a1:1-10 c1:10-11')
  assert.equal(plan('a2 b1!9<a c4', 1), 'c1:0-4 a1:4-6 b1:6-7')
})

test('a job starts as soon as a worker is idle and all that it needs has ended', () => {
  assert.equal(plan('a2 b3 c1<a,b d1<a', 2), 'b1:0-3 a2:0-2 d2:2-3 c1:3-4')
  assert.equal(plan('a5 b1 c1<b d1<c', 2), 'a1:0-5 b2:0-1 c2:1-2 d2:2-3')
})

test('an idle worker does not wait for a better job', () => {
  assert.equal(plan('a3 b1 c9!9<a d4', 2), 'a1:0-3 d2:0-4 c1:3-12 b2:4-5')
})

test('the idle worker with the lowest number takes the job', () => {
  assert.equal(plan('a4 b2 c2 d1<a e1<b,c', 3), 'a1:0-4 b2:0-2 c3:0-2 e2:2-3 d1:4-5')
  assert.equal(plan('a2 b1', 5), 'a1:0-2 b2:0-1')
})

test('workers that end at the same minute start in the order of their numbers', () => {
  assert.equal(plan('a2 b2 c1 d1 e1', 2), 'a1:0-2 b2:0-2 c1:2-3 d2:2-3 e1:3-4')
})

test('the slots are sorted by start, then by worker', () => {
  const slots = planJobs(jobs('a1 b7 c2<a d2<a e1<c f3'), 3)
  const keys = slots.map(({ start, worker }) => start * 10 + worker)
  assert.deepEqual(keys, keys.toSorted((x, y) => x - y))
  assert.equal(slots.length, 6)
})

test('the makespan is the latest end', () => {
  assert.equal(makespan([]), 0)
  assert.equal(makespan(planJobs(jobs('a9 b1 c1<b'), 2)), 9)
})

test('bad numbers of workers and bad jobs are refused', () => {
  for (const workers of [0, -1, 1.5, Number.NaN]) assert.throws(() => planJobs(jobs('a1'), workers), RangeError)
  assert.throws(() => planJobs(jobs('a1<b b1<a'), 1), { kind: 'cycle' })
  assert.throws(() => planJobs([{ id: 'a', minutes: 0 }], 1), RangeError)
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { orderJobs } from '../src/order.ts'

/** `a<b,c` is a job a that needs b and c. */
const jobs = (text) =>
  text.split(' ').map((part) => {
    const [id, needs] = part.split('<')
    return needs ? { id, minutes: 1, needs: needs.split(',') } : { id, minutes: 1 }
  })
const order = (text) => orderJobs(jobs(text)).join(' ')

test('without needs the order stays', () => {
  assert.equal(order('c a b'), 'c a b')
  assert.deepEqual(orderJobs([]), [])
  assert.deepEqual(orderJobs([{ id: 'x', minutes: 1, needs: [] }]), ['x'])
})

test('after each job the first that could come next comes next', () => {
  assert.equal(order('a<c b c'), 'b c a')
  assert.equal(order('e<d d<c c<b b<a a'), 'a b c d e')
  assert.equal(order('x<z y<w z w'), 'z x w y')
  assert.equal(order('d<b,c b<a c<a a'), 'a b c d')
  assert.equal(order('b<a a c<b'), 'a b c')
})

test('a need that stands there twice counts once', () => {
  assert.equal(order('a<b,b b'), 'b a')
})

test('doubled ids and bad minutes are refused first', () => {
  assert.throws(() => orderJobs(jobs('a a')), RangeError)
  assert.throws(() => orderJobs(jobs('a<zzz b a')), RangeError)
  for (const minutes of [0, -1, 1.5, Number.NaN, undefined]) {
    assert.throws(() => orderJobs([{ id: 'a', minutes: 1, needs: ['zzz'] }, { id: 'b', minutes }]), RangeError)
  }
})

test('the first unknown need is told, before any circle', () => {
  const unknown = (text, path) => assert.throws(() => order(text), { name: 'DependencyError', kind: 'unknown', path })
  unknown('a<b b<x,y c<z', ['b', 'x'])
  unknown('a<a b<nope', ['b', 'nope'])
})

test('a circle is told from its job that stands first', () => {
  const cycle = (text, path) => assert.throws(() => order(text), { name: 'DependencyError', kind: 'cycle', path: path.split(' ') })
  cycle('a<a', 'a a')
  cycle('x a<c b<a c<b', 'a c b a')
  cycle('b<a c<b a<c', 'b a c b')
  cycle('s<q p<s q<p', 's q p s')
  cycle('t<m n m<k k<l l<m', 'm k l m')
  cycle('start<c c<b b<c end<start', 'c b c')
  cycle('s<r p<r q<p r<q', 'p r q p')
})

test('of several circles one is told, and it is one', () => {
  const list = jobs('a<b,c b<a c<d d<c,a')
  const needs = new Map(list.map(({ id, needs }) => [id, needs]))
  assert.throws(() => orderJobs(list), ({ kind, path }) => {
    assert.equal(kind, 'cycle')
    assert.equal(path.at(-1), path[0])
    assert.equal(new Set(path).size, path.length - 1)
    path.slice(1).forEach((id, i) => {
      assert.ok(needs.get(path[i]).includes(id))
    })
    const places = path.map((id) => list.findIndex((job) => job.id === id))
    assert.equal(Math.min(...places), places[0])
    return true
  })
})

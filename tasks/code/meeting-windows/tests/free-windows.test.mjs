import assert from 'node:assert/strict'
import test from 'node:test'
import { freeWindows } from '../src/free-windows.mjs'

const at = (time) => `2024-03-10T${time}Z`
const meeting = (start, end) => ({ start: at(start), end: at(end) })
const day = { from: at('08:00'), to: at('18:00') }
const free = (meetings, minMinutes) =>
  freeWindows({ ...day, minMinutes }, meetings).map(
    ({ start, end, minutes }) => `${start.slice(11, 16)} ${end.slice(11, 16)} ${minutes}`,
  )

test('overlapping, touching and nested meetings are one', () => {
  const meetings = [meeting('09:00', '12:00'), meeting('10:00', '11:00'), meeting('11:30', '13:00'), meeting('13:00', '14:00')]
  assert.deepEqual(free(meetings), ['08:00 09:00 60', '14:00 18:00 240'])
})

test('meetings may come in any order', () => {
  const meetings = [meeting('15:00', '16:00'), meeting('09:00', '10:00'), meeting('12:00', '12:30')]
  assert.deepEqual(free(meetings), ['08:00 09:00 60', '10:00 12:00 120', '12:30 15:00 150', '16:00 18:00 120'])
})

test('meetings outside the range are cut or left out', () => {
  const meetings = [meeting('06:00', '07:00'), meeting('07:00', '08:30'), meeting('17:10', '19:00'), meeting('20:00', '21:00')]
  assert.deepEqual(free(meetings), ['08:30 17:10 520'])
})

test('a meeting over the whole range leaves nothing', () => {
  assert.deepEqual(free([meeting('07:00', '19:00')]), [])
  assert.deepEqual(free([meeting('08:00', '18:00')]), [])
})

test('a meeting without length, or backwards, takes no time', () => {
  assert.deepEqual(free([meeting('10:00', '10:00'), meeting('12:00', '11:00')]), ['08:00 18:00 600'])
})

test('windows below the minimum are left out, at the minimum they stay', () => {
  const meetings = [meeting('08:29', '09:00'), meeting('09:30', '10:00'), meeting('10:31', '17:45')]
  assert.deepEqual(free(meetings, 30), ['09:00 09:30 30', '10:00 10:31 31'])
})

test('one minute is enough by default', () => {
  assert.deepEqual(free([meeting('08:01', '17:59')]), ['08:00 08:01 1', '17:59 18:00 1'])
  assert.deepEqual(free([meeting('08:00', '18:00')], 0), [])
})

test('the instant counts, across midnight and over offsets of both signs', () => {
  const range = { from: '2024-02-28T22:00-05:00', to: '2024-02-29T02:00-05:00' }
  const meetings = [{ start: '2024-02-29T09:30+05:30', end: '2024-02-29T15:00+10:00' }]
  assert.deepEqual(freeWindows(range, meetings), [
    { start: '2024-02-28T22:00-05:00', end: '2024-02-28T23:00-05:00', minutes: 60 },
    { start: '2024-02-29T00:00-05:00', end: '2024-02-29T02:00-05:00', minutes: 120 },
  ])
})

test('the result is in the offset of the beginning, half hours too', () => {
  assert.deepEqual(freeWindows({ from: '2024-06-01T09:00-03:30', to: '2024-06-01T13:30Z' }, []), [
    { start: '2024-06-01T09:00-03:30', end: '2024-06-01T10:00-03:30', minutes: 60 },
  ])
  assert.deepEqual(freeWindows({ from: '2024-12-31T23:30+05:45', to: '2024-12-31T18:00Z' }, []), [
    { start: '2024-12-31T23:30+05:45', end: '2024-12-31T23:45+05:45', minutes: 15 },
  ])
})

test('UTC is always written as Z', () => {
  for (const zone of ['Z', '+00:00', '-00:00']) {
    assert.deepEqual(freeWindows({ from: `2024-06-01T09:00${zone}`, to: '2024-06-01T11:00+01:00' }, []), [
      { start: '2024-06-01T09:00Z', end: '2024-06-01T10:00Z', minutes: 60 },
    ])
  }
})

test('a range that ends before it begins is empty, and the input stays as it was', () => {
  assert.deepEqual(freeWindows({ from: at('10:00'), to: at('10:00') }, []), [])
  assert.deepEqual(freeWindows({ from: at('10:00'), to: at('09:00') }, [meeting('09:00', '09:30')]), [])
  const meetings = [meeting('12:00', '13:00'), meeting('09:00', '10:00')]
  const copy = structuredClone(meetings)
  free(meetings)
  assert.deepEqual(meetings, copy)
})

test('every other form is refused, in ignored meetings too', () => {
  const bad = ['2024-03-10T09:00', '2024-03-10 09:00Z', '2024-03-10T09:00:00Z', '2024-03-10T9:00Z', '2024-03-10T09:00+0100', ' 2024-03-10T09:00Z', '2024-03-10T09:00Z ', '']
  for (const text of bad) {
    assert.throws(() => freeWindows({ ...day, from: text }, []), RangeError)
    assert.throws(() => freeWindows({ ...day, to: text }, []), RangeError)
    assert.throws(() => freeWindows(day, [{ start: at('10:00'), end: text }]), RangeError)
    assert.throws(() => freeWindows(day, [{ start: text, end: '2020-01-01T00:00Z' }]), RangeError)
  }
})

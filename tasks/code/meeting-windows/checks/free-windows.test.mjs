import assert from 'node:assert/strict'
import test from 'node:test'
import { freeWindows } from '../src/free-windows.mjs'

test('a meeting in another offset splits the range', () => {
  const range = { from: '2024-03-10T09:00+01:00', to: '2024-03-10T12:00+01:00' }
  assert.deepEqual(freeWindows(range, [{ start: '2024-03-10T09:00Z', end: '2024-03-10T10:00Z' }]), [
    { start: '2024-03-10T09:00+01:00', end: '2024-03-10T10:00+01:00', minutes: 60 },
    { start: '2024-03-10T11:00+01:00', end: '2024-03-10T12:00+01:00', minutes: 60 },
  ])
})

test('without meetings the range is one window', () => {
  const range = { from: '2024-03-10T09:00Z', to: '2024-03-10T09:45Z' }
  assert.deepEqual(freeWindows(range, []), [
    { start: '2024-03-10T09:00Z', end: '2024-03-10T09:45Z', minutes: 45 },
  ])
})

test('text of another form is refused', () => {
  assert.throws(() => freeWindows({ from: '2024-03-10', to: '2024-03-10T09:45Z' }, []), RangeError)
})

import { evaluate } from './evaluate.mjs'
import { parseFormula } from './formula.mjs'
import { formatRef, parseRef } from './refs.mjs'

/** Cells with numbers, texts and formulas. */
export function createSheet() {
  const cells = new Map() // by reference: { source, value, formula? }
  const readers = new Map() // by reference: the references of the formulas that use it
  const valueOf = (ref) => cells.get(ref)?.value ?? ''
  const uses = (name) => cells.get(name)?.formula?.refs ?? []

  function set(ref, input) {
    const name = normalise(ref)
    for (const used of uses(name)) readers.get(used).delete(name)
    const before = valueOf(name)
    const cell = createCell(input.trim())
    if (cell.source === '') cells.delete(name)
    else cells.set(name, cell)
    for (const used of uses(name)) {
      if (!readers.has(used)) readers.set(used, new Set())
      readers.get(used).add(name)
    }

    const affected = affectedBy(name)
    const old = new Map(affected.map((each) => [each, each === name ? before : valueOf(each)]))
    recalculate(affected)
    return affected.filter((each) => valueOf(each) !== old.get(each)).sort(byPlace)
  }

  /** The cell and all that read it, directly or over others. */
  function affectedBy(name) {
    const found = new Set([name])
    for (const each of found) for (const reader of readers.get(each) ?? []) found.add(reader)
    return [...found]
  }

  /** In an order in which each formula follows what it uses (Kahn); cycles are found among those that are never ready. */
  function recalculate(affected) {
    const open = new Set(affected)
    const waiting = new Map(affected.map((name) => [name, uses(name).filter((ref) => open.has(ref)).length]))

    const settle = (ready) => {
      for (const name of ready) waiting.delete(name)
      for (const name of ready) {
        for (const reader of readers.get(name) ?? []) {
          if (!waiting.has(reader)) continue
          waiting.set(reader, waiting.get(reader) - 1)
          if (waiting.get(reader) > 0) continue
          calculate(reader)
          waiting.delete(reader)
          ready.push(reader)
        }
      }
    }

    const ready = affected.filter((name) => waiting.get(name) === 0)
    for (const name of ready) calculate(name)
    settle(ready)
    const cyclic = [...waiting.keys()].filter((name) => uses(name).some((ref) => affectedBy(name).includes(ref)))
    for (const name of cyclic) cells.get(name).value = '#CYCLE!'
    settle(cyclic)
  }

  function calculate(name) {
    const cell = cells.get(name)
    if (cell?.formula) cell.value = evaluate(cell.formula.tree, valueOf)
  }

  return { set, get: (ref) => valueOf(normalise(ref)), source: (ref) => cells.get(normalise(ref))?.source ?? '' }
}

function createCell(source) {
  if (source.startsWith('=')) {
    const formula = parseFormula(source.slice(1))
    return formula ? { source, formula, value: '' } : { source, value: '#PARSE!' }
  }
  if (/^-?\d+(\.\d+)?$/.test(source)) return { source, value: Number(source) }
  return { source, value: source.startsWith('#') ? '#VALUE!' : source }
}

function normalise(ref) {
  const place = parseRef(ref)
  if (!place) throw new RangeError(`not a reference: ${ref}`)
  return formatRef(place)
}

function byPlace(one, other) {
  const a = parseRef(one)
  const b = parseRef(other)
  return a.row - b.row || a.column - b.column
}

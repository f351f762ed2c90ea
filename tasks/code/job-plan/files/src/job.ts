export interface Job {
  id: string
  /** How long it takes; an integer of at least 1. */
  minutes: number
  /** Ids of jobs that must have ended before it starts. */
  needs?: readonly string[]
  /** Higher goes first; 0 if not given. */
  priority?: number
}

export interface Slot {
  id: string
  worker: number
  start: number
  end: number
}

/** Jobs need what is not there, or each other. */
export class DependencyError extends Error {
  readonly kind: 'unknown' | 'cycle'
  readonly path: readonly string[]
  constructor(kind: 'unknown' | 'cycle', path: readonly string[]) {
    super(`${kind}: ${path.join(' needs ')}`)
    this.name = 'DependencyError'
    this.kind = kind
    this.path = path
  }
}

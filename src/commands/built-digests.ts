/** SHA-256 of what this bench was built of. */
export interface BuiltDigests {
  graders: string
  code: string
  /** Of each built-in strategy with what it leans on, by its name. */
  strategies: Record<string, string>
}

/** Set by the build, in the bundle that it makes, so that no other build's can be met; null: nothing was built. */
export const builtDigests = null as BuiltDigests | null

/** One name that a file gives to others, as far as its source tells. */
export interface Exported {
  name: string
  kind: 'function' | 'class' | 'value'
  isAsync: boolean
  /** Names of parameters, in order; those of a pattern as `{…}`. Of a class: those of its constructor. */
  parameters: readonly string[]
  /** Public methods of a class. */
  methods: readonly string[]
}

/** What a file exports and how it is loaded, or why it cannot be told. */
export type FileExports =
  | { exported: readonly Exported[]; module: 'esm' | 'commonjs' | 'python' }
  | { error: string }

/** Returns an export of which only the name is known. */
export const valueNamed = (name: string): Exported => ({
  ...{ name, kind: 'value', isAsync: false, parameters: [], methods: [] },
})

/** Returns how a person writes the export down: `async load(path)`, `class Cart(items)`, `limit`. */
export function signature({ name, kind, isAsync, parameters }: Exported): string {
  if (kind === 'value') return name
  const word = kind === 'class' ? 'class ' : isAsync ? 'async ' : ''
  return `${word}${name}(${parameters.join(', ')})`
}

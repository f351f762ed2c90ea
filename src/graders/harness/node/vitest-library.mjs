// Vitest's own packages that a spec uses. The build bundles them into one file.
export * as matchers from '@vitest/expect'
export * as spies from '@vitest/spy'
export * as chai from 'chai'

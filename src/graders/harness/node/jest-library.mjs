// Jest's own packages that a spec uses. The build bundles them into one file.
export { expect } from 'expect'
export { bind } from 'jest-each'
export { ModuleMocker } from 'jest-mock'

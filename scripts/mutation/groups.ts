import { readFileSync } from 'node:fs'

/**
 * The groups of mutated modules, and the tests that must detect the mutants: those next to the modules, without a
 * database.
 */
type Group = { readonly mutate: readonly string[]; readonly tests: readonly string[] }

const BOOKINGS = 'src/features/bookings'
const VERTICALS = `${BOOKINGS}/verticals`

export const GROUPS = {
  money: {
    mutate: ['src/platform/money.ts', 'src/platform/page/price.ts', 'src/catalogue/amounts.ts'],
    tests: ['src/platform/money.test.ts', 'src/platform/page/price.test.ts', 'src/catalogue/amounts.test.ts'],
  },
  pricing: {
    mutate: [
      `${BOOKINGS}/{pricing,anchor-rates,same-price}.ts`,
      'src/features/exchange-rates/commands/find-rates.ts',
      'src/features/ticket-printer/sale-price.ts',
    ],
    tests: [
      `${BOOKINGS}/{pricing,anchor-rates,same-price,amend-booking}.test.ts`,
      'src/features/exchange-rates/commands/find-rates.test.ts',
      'src/features/ticket-printer/sale-price.test.ts',
    ],
  },
  masking: {
    mutate: [
      'src/platform/access/{policies,demand-policy}.ts',
      'src/platform/db/{by-policies,view}.ts',
      'src/features/customers/reads/restricted.ts',
      'src/features/leads/reads/restricted-lead.ts',
      'src/features/communications/reads/message-masks.ts',
      'src/imports/records/record-sql.ts',
    ],
    tests: [
      'src/platform/access/policies.test.ts',
      'src/platform/db/view.test.ts',
      'src/features/customers/reads/restricted.test.ts',
      'src/imports/records/record-sql.test.ts',
    ],
  },
  refusals: {
    mutate: [
      'src/platform/http/{gate,rate-limit}.ts',
      'src/platform/access/{token-ring,plans,source-address,token}.ts',
    ],
    tests: [
      'src/platform/http/{gate,rate-limit}.test.ts',
      'src/platform/access/{token-ring,plans,source-address,token}.test.ts',
    ],
  },
  states: {
    mutate: [
      `${BOOKINGS}/{status,invoicing,amend-booking}.ts`,
      `${VERTICALS}/tickets/document-states.ts`,
      ...['hotel-stays', 'car-rentals', 'cruises', 'charters', 'visa-cases', 'events', 'tickets/tickets'].map(
        (vertical) => partOf(`${VERTICALS}/${vertical}.entity.ts`, '  machine: {'),
      ),
      partOf(`${VERTICALS}/tours/tour-departures.entity.ts`, 'const MOVES'),
    ],
    tests: [`${BOOKINGS}/{status,invoicing,amend-booking}.test.ts`, `${VERTICALS}/tickets/document-states.test.ts`],
  },
  work: {
    mutate: [
      'src/imports/batches/{import-queue,import-chunk}.ts',
      'src/features/tasks/commands/{save-task,complete-task,delete-task}.ts',
    ],
    tests: ['src/imports/batches/*.test.ts', 'src/features/tasks/commands/*.test.ts'],
  },
  idempotency: {
    mutate: ['src/platform/http/idempotency.ts'],
    tests: ['src/platform/http/{fingerprint,idempotency}.test.ts'],
  },
  cursors: {
    mutate: ['src/platform/http/{cursors,paging}.ts', 'src/platform/{signed-text,account-secrets}.ts'],
    tests: ['src/platform/http/{cursors,paging}.test.ts', 'src/platform/signed-text.test.ts'],
  },
  signatures: {
    mutate: [
      'lib/verify-webhook.js',
      'src/features/webhooks/{signature,signing-secret}.ts',
      'src/platform/messaging/callback-signature.ts',
      'src/platform/files/files.ts',
      'src/platform/seal.ts',
      'src/features/trip-pages/pass.ts',
      'src/features/communications/unsubscribe.ts',
      'src/features/surveys/survey-address.ts',
    ],
    tests: [
      'src/features/webhooks/signature.test.ts',
      'src/platform/messaging/callback-signature.test.ts',
      'src/platform/files/files.test.ts',
      'src/platform/seal.test.ts',
      'src/features/trip-pages/pass.test.ts',
      'test/contract/signed-addresses.test.ts',
    ],
  },
} as const satisfies Readonly<Record<string, Group>>

/** The lines of a file that begin with this text, up to the end of the block. */
function partOf(file: string, begin: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const first = lines.findIndex((line) => line.startsWith(begin))
  const end = begin.replace(/\S.*/, '}')
  const last = lines.findIndex((line, at) => (at === first ? line.endsWith('},') : at > first && line.startsWith(end)))
  return `${file}:${first + 1}-${last + 1}`
}

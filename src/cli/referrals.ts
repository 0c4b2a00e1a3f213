import type { Command } from 'commander'
import { createReferral } from '../features/referrals/commands/create-referral.ts'
import { stopReferral } from '../features/referrals/commands/stop-referral.ts'
import { listReferrals, type ReferralRow, referralUrl, withAddress } from '../features/referrals/reads/referral-rows.ts'
import { findTrip } from '../features/trips/reads/find-trip.ts'
import { ACCOUNT, answering, type OfAccount, table } from './command.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

type Given = OfAccount & {
  readonly label?: string
  readonly customer?: string
  readonly trip?: string
  readonly company?: string
  readonly assignTo?: string
}

export function registerReferrals(program: Command): void {
  const referral = program.command('referral').description('make and stop the addresses that customers hand on')
  answering(
    referral
      .command('create')
      .description('make a code, and say at which address its page is')
      .requiredOption(...ACCOUNT)
      .option('--label <text>', 'what you call it; visitors do not see it')
      .option('--customer <id>', 'who hands it on')
      .option('--trip <trip>', 'of which trip it tells, by id or reference number')
      .option('--company <id>', 'company of its leads; the trip’s, the customer’s or the default one when omitted')
      .option('--assign-to <seat>', 'who looks after its leads; the trip’s advisor or the owner when omitted'),
    (options: Given) =>
      atAccount(options, async (tx, desk, { publicUrl }) => {
        const { label = null, customer, trip, company, assignTo } = options
        const given = {
          label,
          customer: customer === undefined ? null : idOf('customer', customer),
          trip: trip === undefined ? null : await findTrip(tx, trip),
          company: company === undefined ? null : desk.company,
          seat: assignTo === undefined ? null : idOf('seat', assignTo),
        }
        const { id, token } = await createReferral(tx, desk, given)
        return { id, address: referralUrl(publicUrl, token) }
      }),
    ({ address }: { address: string }) => address,
  )
  answering(
    referral
      .command('list')
      .description('list the codes, newest first, with their visits, leads and conversions')
      .requiredOption(...ACCOUNT),
    (options: OfAccount) =>
      atAccount(options, async (tx, _, { publicUrl }) => ({
        referrals: (await tx.all(listReferrals, {})).map((code) => withAddress(publicUrl, code)),
      })),
    ({ referrals }: { referrals: ReferralRow[] }) => table(referrals),
  )
  answering(
    referral
      .command('stop')
      .description('end a code: its page is not found any more, what came of it stays')
      .argument('<code>', 'its id, or the end of its address')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, name = '') => atAccount(options, (tx) => stopReferral(tx, name)),
    ({ id, changed }: { id: string; changed: boolean }) => `${id} is ${changed ? 'now' : 'already'} stopped.`,
  )
}

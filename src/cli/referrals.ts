import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { createReferral } from '../features/referrals/commands/create-referral.ts'
import { stopReferral } from '../features/referrals/commands/stop-referral.ts'
import { listReferrals, type ReferralRow, referralUrl, withAddress } from '../features/referrals/reads/referral-rows.ts'
import { findTrip } from '../features/trips/reads/find-trip.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

type Given = OfAccount & {
  readonly label?: string
  readonly customer?: string
  readonly trip?: string
  readonly company?: string
  readonly assignTo?: string
}

export function registerReferrals(program: Command): void {
  const referral = program.command('referral').description('create, list and stop referral codes')
  objectCommand(
    referral
      .command('create')
      .description('create a referral code and show the address of its page')
      .requiredOption(...ACCOUNT)
      .option('--label <text>', 'internal name; visitors do not see it')
      .option('--customer <id>', 'id of the referring customer')
      .option('--trip <trip>', 'id or reference number of the trip that its page shows')
      .option(
        '--company <id>',
        'company of its leads; that of the trip or customer, or the default company, if omitted',
      )
      .option('--assign-to <seat>', 'advisor of its leads; that of the trip, or the owner, if omitted'),
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
  objectCommand(
    referral
      .command('list')
      .description('list referral codes with visits, leads and conversions, newest first')
      .requiredOption(...ACCOUNT),
    (options: OfAccount) =>
      atAccount(options, async (tx, _, { publicUrl }) => ({
        referrals: (await tx.all(listReferrals, {})).map((code) => withAddress(publicUrl, code)),
      })),
    ({ referrals }: { referrals: ReferralRow[] }) => table(referrals),
  )
  objectCommand(
    referral
      .command('stop')
      .description('stop a referral code: its page is no longer found; its leads stay')
      .argument('<code>', 'id of the code, or the end of its address')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, name = '') => atAccount(options, (tx) => stopReferral(tx, name)),
    ({ id, changed }: { id: string; changed: boolean }) => `${id} is ${changed ? 'now' : 'already'} stopped.`,
  )
}

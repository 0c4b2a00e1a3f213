import type { Actor, Company } from '../../../platform/access/actor.ts'
import { homeBranchIn, homeCompany } from '../../../platform/access/places.ts'
import type { FoundDesk } from './find-desk.ts'

/** The desk at which somebody writes records of a company: by default the one of their branch. */
export const deskOfActor = (actor: Actor, company: Company = homeCompany(actor)): FoundDesk => ({
  company: company.id,
  country: company.country,
  currency: company.currency,
  time_zone: actor.timeZone,
  locale: actor.locale,
  branch: homeBranchIn(actor, company),
})

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { replayEntities } from './replayed-entities.js';
import { RULES, type Rule } from './rules.js';

/** Enough to see what is wrong, however much of it there is. */
const MOST_FINDINGS = 100;

export interface Finding {
  entity: string;
  id: string;
  problem: string;
}

/** What a rule came to. */
export interface RuleResult {
  rule: string;
  says: string;
  /** How many problems there are. */
  found: number;
  /** The first ones. */
  findings: Finding[];
}

/** Checks what must hold of the stored data, and changes nothing. */
@Injectable()
export class IntegrityService {
  constructor(private readonly database: Database) {}

  /** Every rule, on one moment of the database; the service may go on meanwhile. */
  check(): Promise<RuleResult[]> {
    return this.database.snapshot(async (manager) => {
      const results: RuleResult[] = [];
      for (const rule of RULES) results.push(await this.query(manager, rule));
      results.push(await this.replay(manager));
      return results;
    });
  }

  private async query(
    manager: EntityManager,
    { name: rule, says, sql }: Rule,
  ): Promise<RuleResult> {
    const rows = await manager.query<(Finding & { found: number })[]>(
      `SELECT finding.*, (count(*) OVER ())::int AS found FROM (${sql}) AS finding
       ORDER BY entity, id LIMIT ${MOST_FINDINGS}`,
    );
    const findings = rows.map(({ entity, id, problem }) => ({ entity, id, problem }));
    return { rule, says, found: rows[0]?.found ?? 0, findings };
  }

  private async replay(manager: EntityManager): Promise<RuleResult> {
    let found = 0;
    const findings: Finding[] = [];
    for await (const finding of replayEntities(manager)) {
      found += 1;
      if (findings.length < MOST_FINDINGS) findings.push(finding);
    }
    return {
      rule: 'replay',
      says: 'an entity is what its activity records, replayed, come to',
      found,
      findings,
    };
  }
}

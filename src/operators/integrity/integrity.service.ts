import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { constraintsRule } from './constraints-rule.js';
import { replayEntities } from './replayed-entities.js';
import { RULES, type Rule } from './rules.js';

/** Maximum number of reported findings per rule. */
const MAX_FINDINGS = 100;

export interface Finding {
  entity: string;
  id: string;
  problem: string;
}

/** The result of a rule. */
export interface RuleResult {
  rule: string;
  description: string;
  problemCount: number;
  /** The first problems. */
  findings: Finding[];
}

/** Checks the consistency of the stored data without changing it. */
@Injectable()
export class IntegrityService {
  constructor(private readonly database: Database) {}

  /** Checks every rule in one snapshot of the database; the service can keep running. */
  check(): Promise<RuleResult[]> {
    return this.database.systemSnapshot(async (manager) => {
      const results: RuleResult[] = [];
      const { entityMetadatas } = manager.dataSource;
      const rules = [constraintsRule(entityMetadatas), ...RULES];
      for (const rule of rules) results.push(await this.query(manager, rule));
      results.push(await this.replay(manager));
      return results;
    });
  }

  private async query(
    manager: EntityManager,
    { name: rule, description, sql }: Rule,
  ): Promise<RuleResult> {
    const rows = await manager.query<(Finding & { count: number })[]>(
      `SELECT finding.*, (count(*) OVER ())::int AS count FROM (${sql}) AS finding
       ORDER BY entity, id LIMIT ${MAX_FINDINGS}`,
    );
    const findings = rows.map(({ entity, id, problem }) => ({ entity, id, problem }));
    return { rule, description, problemCount: rows[0]?.count ?? 0, findings };
  }

  private async replay(manager: EntityManager): Promise<RuleResult> {
    let problemCount = 0;
    const findings: Finding[] = [];
    for await (const finding of replayEntities(manager)) {
      problemCount += 1;
      if (findings.length < MAX_FINDINGS) findings.push(finding);
    }
    return {
      rule: 'replay',
      description: 'replaying the activity records of an entity results in its state',
      problemCount,
      findings,
    };
  }
}

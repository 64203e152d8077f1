// SPDX-License-Identifier: Apache-2.0
// One answer as a view shows it, while it comes.

import { linesOf } from "./answers";
import { sentence } from "./api";
import type { AnswerNotice, AnswerTable, SamaraRecord } from "./records";

export class Answer {
  tables: AnswerTable[] = $state.raw([]);
  records: SamaraRecord[] = $state.raw([]);
  remarks: string[] = $state.raw([]);
  notices: AnswerNotice[] = $state.raw([]);
  share: number | null = $state(null);
  doing = $state("");
  problem = $state("");
  isRunning = $state(false);
  isComplete = $state(false);
  #cancel: AbortController | undefined;

  // Asks; what was asked before is cancelled. Tables replace those shown when they come,
  // the rest when the answer is complete. With records, tables wait for them: a chart is
  // drawn above the tables, which would move down under the reader when it comes.
  async ask(name: string, given: URLSearchParams, withRecords = false): Promise<void> {
    this.cancel();
    const own = new AbortController();
    this.#cancel = own;
    this.isRunning = true;
    this.isComplete = false;
    this.problem = "";
    this.share = null;
    const come = nothing();
    try {
      for await (const line of linesOf(name, given, withRecords, own.signal)) this.#take(line, come, withRecords);
    } catch (error) {
      if (own.signal.aborted) return;
      this.problem = (error as Error).message;
    }
    if (own.signal.aborted) return;
    Object.assign(this, come);
    this.isRunning = false;
    this.isComplete = this.problem === "";
  }

  // Shows nothing, as before the first question.
  clear(): void {
    this.cancel();
    this.problem = "";
    Object.assign(this, nothing(), { isComplete: false });
  }

  cancel(): void {
    this.#cancel?.abort();
    this.isRunning = false;
  }

  #take(line: Parameters<typeof taken>[0], come: Come, waits: boolean): void {
    if (line.type === "answer_progress") {
      this.share = line.share;
      this.doing = line.doing;
    } else if (line.type === "answer_end") {
      this.problem = line.problem && sentence(line.problem);
    } else {
      taken(line, come);
      if (line.type === "answer_table" && !waits) this.tables = [...come.tables];
    }
  }
}

interface Come {
  tables: AnswerTable[];
  records: SamaraRecord[];
  remarks: string[];
  notices: AnswerNotice[];
}

function nothing(): Come {
  return { tables: [], records: [], remarks: [], notices: [] };
}

function taken(line: SamaraRecord, come: Come): void {
  if (line.type === "answer_table") come.tables.push(line);
  else if (line.type === "answer_remark") come.remarks.push(line.text);
  else if (line.type === "answer_notice") come.notices.push(line);
  else come.records.push(line);
}

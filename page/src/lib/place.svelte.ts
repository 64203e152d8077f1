// SPDX-License-Identifier: Apache-2.0
// Where a reader is: the view, what is shown in it, and the values of its form. It is
// what the address has after its #, so that every state can be linked to.

export interface Parsed {
  view: string;
  item: string;
  values: URLSearchParams;
}

export function parsed(hash: string): Parsed {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...item] = path.split("/");
  return {
    view: view.toLowerCase(),
    item: decoded(item.join("/")),
    values: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function addressOf(view: string, item = "", values = new URLSearchParams()): string {
  const query = values.toString();
  return `#/${view.toLowerCase()}${item && `/${encodeURIComponent(item)}`}${query && `?${query}`}`;
}

class Place {
  #now = $state.raw(parsed(""));

  constructor() {
    this.#read();
    addEventListener("hashchange", () => this.#read());
  }

  get view() {
    return this.#now.view;
  }
  get item() {
    return this.#now.item;
  }
  get values() {
    return this.#now.values;
  }

  // Goes somewhere; `replaces`: the way back leads past the place that is left.
  go(view: string, item = "", values = new URLSearchParams(), replaces = false): void {
    const address = addressOf(view, item, values);
    if (replaces) {
      history.replaceState(null, "", address);
      this.#read();
    } else {
      location.hash = address;
    }
  }

  #read(): void {
    this.#now = parsed(location.hash);
  }
}

export const place = new Place();

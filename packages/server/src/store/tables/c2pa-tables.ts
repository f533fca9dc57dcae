export interface C2paStoreTable {
  imageNo: number;
  position: number;
  label: string;
}

export interface C2paBindingTable {
  imageNo: number;
  position: number;
  binding: Buffer;
}

export interface C2paUnreadTable {
  imageNo: number;
}

export interface C2paTables {
  c2paStore: C2paStoreTable;
  c2paBinding: C2paBindingTable;
  c2paUnread: C2paUnreadTable;
}
